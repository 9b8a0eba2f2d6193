"""What holds for every test."""

from hypothesis import HealthCheck, settings

# A busy machine is no fault of ours; every run tries the same examples, benchmarks/fuzz.py looks further.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("steady")
