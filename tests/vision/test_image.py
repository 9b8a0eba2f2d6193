"""Every input kind, every orientation, and what is refused."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from tests.folders import ROOT
from vision.image import Photo, PhotoError, load

SIZE = (160, 96)
RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 200, 30), (30, 30, 220), (240, 240, 240)


def corners() -> Image.Image:
    """A picture whose quarters tell which way up it is: red green / blue white."""
    image = Image.new("RGB", SIZE)
    w, h = SIZE[0] // 2, SIZE[1] // 2
    for colour, at in ((RED, (0, 0)), (GREEN, (w, 0)), (BLUE, (0, h)), (WHITE, (w, h))):
        image.paste(colour, (*at, at[0] + w, at[1] + h))
    return image


def stored(orientation: int) -> Image.Image:
    """The upright picture as a camera held another way stores it."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    return corners().transpose(undo[orientation]) if orientation in undo else corners()


def encoded(image: Image.Image, format: str, orientation: int | None = None) -> bytes:
    buffer = io.BytesIO()
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    options = {"lossless": True} if format == "WEBP" else {}
    image.save(buffer, format, exif=exif, **options)
    return buffer.getvalue()


def assert_upright(photo: Photo) -> None:
    assert photo.pixels.dtype == np.uint8 and photo.pixels.flags.c_contiguous
    assert (photo.width, photo.height) == SIZE
    h, w = photo.pixels.shape[:2]
    for colour, (x, y) in ((RED, (1, 1)), (GREEN, (3, 1)), (BLUE, (1, 3)), (WHITE, (3, 3))):
        seen = photo.pixels[y * h // 4, x * w // 4].astype(int)
        assert np.abs(seen - colour).max() < 24, (colour, seen)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("kind", ["bytes", "path", "image"])
def test_every_orientation_is_made_upright(tmp_path: Path, kind: str, format: str, orientation: int) -> None:
    data = encoded(stored(orientation), format, orientation)
    if kind == "bytes":
        assert_upright(load(data))
    elif kind == "image":
        assert_upright(load(Image.open(io.BytesIO(data))))
    else:
        path = tmp_path / "photo"
        path.write_bytes(data)
        assert_upright(load(path))
        assert load(str(path)).name == str(path)


def test_arrays_grey_and_transparency() -> None:
    rgb = np.asarray(corners())
    assert_upright(load(rgb))
    assert_upright(load(np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])))
    assert_upright(load(rgb.astype(np.uint16) * 257))
    with pytest.raises(TypeError, match="int"):
        load(3)  # type: ignore[arg-type]
    for shape in ((64, 48), (64, 48, 1)):
        grey = load(np.full(shape, 77, np.uint8))
        assert grey.pixels.shape == (64, 48, 3) and (grey.pixels == 77).all()
    clear = Image.new("RGBA", (64, 64), (255, 0, 0, 0))
    assert (load(np.asarray(clear)).pixels == 128).all()
    with pytest.raises(PhotoError, match="wholly transparent"):
        load(clear)
    clear.putpixel((0, 0), (1, 2, 3, 255))
    assert (load(clear).pixels[1:] == 128).all()
    assert load(encoded(Image.new("L", (64, 64), 9), "JPEG")).pixels.mean() == pytest.approx(9, abs=1)
    sixteen = np.full((64, 64), 200 * 256, np.uint16)
    assert (load(Image.fromarray(sixteen)).pixels == 200).all()
    assert (load(Image.frombytes("I;16B", (64, 64), sixteen.byteswap().tobytes())).pixels == 200).all()


@pytest.mark.parametrize("scale", [1.0, 65535.0, 2e9])
@pytest.mark.parametrize("type_", [np.float32, np.int32])
def test_grey_samples_of_32_bits_are_read(type_: type, scale: float) -> None:
    ramp = (np.linspace(0, 1, 64) * (scale if type_ is np.float32 else max(scale, 65535))).astype(type_)
    pixels = load(encoded(Image.fromarray(np.tile(ramp, (64, 1))), "TIFF")).pixels
    assert pixels[0, 0, 0] == 0 and pixels[0, -1, 0] == 255 and abs(int(pixels[0, 32, 0]) - 129) < 3


def test_colours_in_floats_are_an_unsupported_format() -> None:
    deep = encoded(corners(), "TIFF").replace(struct.pack("<3H", 8, 8, 8), struct.pack("<3H", 32, 32, 32))
    with pytest.raises(PhotoError, match="in a format that cannot be read here"):
        load(deep)


def test_damaged_exif_is_none() -> None:
    pillow_heif.register_heif_opener()
    for format in ("PNG", "WEBP", "HEIF"):
        for damaged in (b"no TIFF at all", b"MM\0*\0"):
            corners().save(buffer := io.BytesIO(), format, exif=damaged)
            assert (load(buffer.getvalue()).width, load(buffer.getvalue()).height) == SIZE, (format, damaged)


def test_transparency_is_the_same_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (50, 40, 4), dtype=np.uint8)
    for mode in ("RGBA", "LA", "P"):
        image = Image.fromarray(noise).convert(mode)
        if mode == "P":
            image.info["transparency"] = 3
        whole = load(image).pixels
        monkeypatch.setattr("vision.image._BAND_PIXELS", 7 * 40)
        assert np.array_equal(load(image).pixels, whole)
        monkeypatch.undo()


def png(width: int, height: int, pixels: bytes = b"", *, colour: int = 2) -> bytes:
    """A PNG of any size; without ``pixels`` in a few bytes: refused from its header or it would never end."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nobody says there what was held at most")
def test_the_largest_png_takes_little_more_than_its_pixels(tmp_path: Path) -> None:
    """64 megapixels with transparency, 250 KB: 256 MB as they are decoded, 192 MB as they are handed on."""
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(bytes(4 * 8000) + b"\xff") for _ in range(8000)) + packer.flush()
    file = tmp_path / "large.png"
    file.write_bytes(png(8000, 8000, pixels, colour=6))
    script = """
import re, sys
from pathlib import Path
from vision.image import load
held = lambda field: int(re.search(field + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1000
before = held("VmRSS")
load(Path(sys.argv[1]))
print(held("VmHWM") - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, file], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 600


def test_a_webp_is_bounded_by_what_its_decoder_holds() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (6000, 5500), (9, 99, 9, 128)).save(buffer, "WEBP", lossless=True, quality=0, method=0)
    with pytest.raises(PhotoError, match="6000×5500 pixels, more than the 32 megapixels"):
        load(buffer.getvalue())


def test_large_jpeg_is_decoded_at_half_size() -> None:
    big = corners().resize((4000, 2400))
    photo = load(encoded(big, "JPEG", 1))
    assert photo.pixels.shape == (1200, 2000, 3)
    assert (photo.width, photo.height, photo.scale) == (4000, 2400, 2.0)
    np.testing.assert_allclose(
        photo.to_full(np.array([[0, 0], [10, 5]], np.float32)), [[0.5, 0.5], [20.5, 10.5]]
    )
    cmyk = load(encoded(Image.new("CMYK", (4000, 3000), (0, 0, 0, 0)), "JPEG"))
    assert cmyk.pixels.shape == (1500, 2000, 3) and (cmyk.width, cmyk.height) == (4000, 3000)


def test_max_side_bounds_the_array_not_the_reported_size() -> None:
    photo = load(encoded(corners().resize((1600, 960)), "JPEG", 6), max_side=400)
    assert photo.pixels.shape == (400, 240, 3)
    assert (photo.width, photo.height, photo.scale) == (960, 1600, 4.0)
    assert load(photo, max_side=100).pixels.shape == (100, 60, 3)
    assert load(photo, max_side=100).scale == 16.0


def ppm(head: str, pixels: bytes = bytes(3 * 40 * 60)) -> bytes:
    return head.encode() + pixels


@pytest.mark.parametrize(
    ("photo", "complaint"),
    [
        (b"", "is empty"),
        (b"1m2m3m are my tiles, honestly", "is not an image"),
        (png(1, 1), "is only 1×1 pixels"),
        (png(9000, 9000), "is 9000×9000 pixels"),
        (png(20000, 20000), "too many pixels"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "is damaged"),
        (encoded(corners(), "PNG")[:120], "breaks off"),
        (encoded(corners(), "WEBP")[:60], "damaged"),
        (ppm("P6 40 60 255\n")[:-1], "breaks off"),
        (ppm("P6 40 60 65535\n"), "is damaged"),
        (ppm("P6 -40 60 255\n"), "is damaged"),
        (ppm("P6"), "is damaged"),
        (ppm("P6" + " " * 9_000_000), "is damaged"),
        (ppm("P6\n# of 40 600\n40 60\n255\n"), "is damaged"),
        (ppm("P6\n# of 20 30\n40 60\n255\n"), "at least 32"),
        (ppm("P6\n# of 40000 60000\n40 60\n255\n"), "more than the 210 megapixels"),
        (ppm("P6 40000 60000 255\n"), "more than the 64 megapixels"),
        (ppm("P6 8 60 255\n"), "at least 32"),
        (ROOT / "none.jpg", "does not exist"),
        (ROOT, "is a folder"),
        (np.zeros((64, 64, 2), np.uint8), r"shape \(64, 64, 2\)"),
        (np.zeros((64, 64, 3), np.float32), "type float32"),
    ],
    ids=lambda each: str(each)[:24],
)
def test_what_is_no_photo_gets_one_sentence(photo: Any, complaint: str) -> None:
    with pytest.raises(PhotoError, match=complaint) as caught:
        load(photo)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_a_progressive_jpeg_is_refused_where_its_coefficients_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its decoder holds two bytes for each sample of each component, whatever size it decodes to."""
    monkeypatch.setattr("vision.image.MAX_PROGRESSIVE_SAMPLES", 2 * 40 * 60)

    def jpeg(progressive: bool, subsampling: str) -> bytes:
        buffer = io.BytesIO()
        corners().resize((40, 60)).save(buffer, "JPEG", progressive=progressive, subsampling=subsampling)
        return buffer.getvalue()

    for is_read in (jpeg(True, "4:2:0"), jpeg(False, "4:4:4")):
        assert load(is_read).pixels.shape == (60, 40, 3)
    with pytest.raises(PhotoError, match="is a progressive JPEG of 40×60 pixels") as caught:
        load(jpeg(True, "4:4:4"))
    assert caught.value.why == "progressive"


def test_what_lies_beside_a_jpeg_neither_saves_nor_spoils_it() -> None:
    whole = encoded(corners(), "JPEG")
    thumbnail = encoded(corners().resize((32, 32)), "JPEG")
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    assert_upright(load(whole[:2] + segment + whole[2:]))
    torn = load((whole[:2] + segment + whole[2:])[:-200])
    assert torn.fault == "cut_off" and torn.pixels.shape == load(whole).pixels.shape
    assert_upright(load(whole + b"motion photo" * 50))


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("full_size", [SIZE, (4 * SIZE[0], 4 * SIZE[1]), (4 * SIZE[0] + 2, 4 * SIZE[1] - 1)])
def test_pixels_that_were_decoded_elsewhere(full_size: tuple[int, int], channels: int) -> None:
    pixels = np.asarray(corners().convert("RGBA"))[..., :channels]
    photo = Photo.decoded(pixels, full_size, "browser")
    assert np.array_equal(photo.pixels, np.asarray(corners())) and photo.pixels.flags.c_contiguous
    assert (photo.width, photo.height, photo.name) == (*full_size, "browser")
    assert load(photo) is photo
    last = photo.to_full(np.float32([[SIZE[0] - 0.5, SIZE[1] - 0.5]]))[0]
    assert np.abs(last - (np.array(full_size) - 0.5)).max() < 4


def test_decoded_pixels_of_another_photo_are_refused() -> None:
    pixels = np.asarray(corners())
    for full_size in ((SIZE[1], SIZE[0]), (SIZE[0] // 2, SIZE[1] // 2), (4 * SIZE[0], 5 * SIZE[1])):
        with pytest.raises(ValueError, match="no photo of"):
            Photo.decoded(pixels, full_size)
    with pytest.raises(PhotoError, match="at least 32"):
        Photo.decoded(pixels[:8], (160, 8))


def test_a_ppm_as_any_program_writes_it_and_as_the_browser_does() -> None:
    full = (4 * SIZE[0] + 2, 4 * SIZE[1] - 1)
    photo = load(ppm(f"P6\n# of {full[0]} {full[1]}\n{SIZE[0]} {SIZE[1]}\n255\n", corners().tobytes()))
    assert np.array_equal(photo.pixels, np.asarray(corners()))
    assert (photo.width, photo.height) == full


def test_a_ppm_is_read_without_pillow() -> None:
    code = (
        "import sys; from vision.image import load\n"
        "load(b'P6 40 60 255\\n' + bytes(7200))\nassert 'PIL' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("format", ["PPM", "HEIF", "TIFF", "GIF", "JPEG2000", "AVIF"])
def test_further_formats_are_read_where_pillow_can(format: str) -> None:
    Image.init()
    pillow_heif.register_heif_opener()
    if format not in Image.SAVE:
        pytest.skip(f"this Pillow has no {format}")
    assert_upright(load(encoded(corners(), format)))


def test_a_format_that_pillow_lacks_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    Image.init()
    monkeypatch.delitem(Image.OPEN, "TIFF")
    with pytest.raises(PhotoError, match="format that cannot be read here"):
        load(encoded(corners(), "TIFF"))


def test_a_jpeg_cut_off_or_damaged_is_read_and_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    whole = encoded(Image.effect_noise((640, 480), 90).convert("RGB"), "JPEG")
    assert load(whole).fault == ""
    for cut in (1, 2, 300, len(whole) // 3):
        torn = load(whole[:-cut])
        assert torn.fault == "cut_off" and np.array_equal(torn.pixels[:200], load(whole).pixels[:200])
    middle, noise = len(whole) // 2, np.random.default_rng(5).integers(0, 255, 200, dtype=np.uint8).tobytes()
    assert load(whole[:middle] + noise + whole[middle + 200 :]).fault == "damaged"
    assert capfd.readouterr().err == ""


def test_a_damaged_heic_is_one_sentence() -> None:
    damaged = ROOT.parent / "shared" / "found" / "damaged.heic"
    if not damaged.is_file():
        pytest.skip("no ../shared/found/damaged.heic")
    with pytest.raises(PhotoError, match="is damaged; take or copy the photo again"):
        load(damaged)
