# The page for the phones of one table, whose QR code needs the address of the host:
#   docker build -t tehai . && docker run --network host -v tehai:/games tehai
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends libgl1 libglib2.0-0 && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN pip install --no-cache-dir /src && rm -rf /src && useradd --create-home player && install -d -o player /games
USER player
EXPOSE 8765
VOLUME /games
CMD ["tehai", "serve", "--lan", "--port", "8765", "--games", "/games"]
