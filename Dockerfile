# The server of bsq, for `docker build -t bsq .` and `docker run -p 1978:1978 bsq`. The page and the API are then at
# http://localhost:1978. Options of `bsq serve` may follow, such as `--memory 4GiB`.
FROM rust:1.95-slim AS build
WORKDIR /bsq
COPY . .
RUN cargo install --locked --path . --features full --root /usr/local

FROM debian:trixie-slim
COPY --from=build /usr/local/bin/bsq /usr/local/bin/bsq
RUN useradd --system bsq
USER bsq
EXPOSE 1978
ENTRYPOINT ["bsq", "serve", "--address", "0.0.0.0"]
