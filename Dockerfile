FROM node:24-slim AS build
# The runtime inside the executable needs libatomic, which the final image lacks.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /kontor
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && install -d -o 10001 -g 10001 /data && install -d /libraries && \
    cp -L "$(ldd dist/kontor | grep -o '/[^ ]*libatomic[^ ]*')" /libraries/

FROM gcr.io/distroless/cc-debian12
COPY --from=build /libraries/ /usr/lib/
COPY --from=build /kontor/dist/kontor /usr/local/bin/kontor
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
# TMPDIR: where SQLite's addon is unpacked, so that nothing else has to be writable. MALLOC_ARENA_MAX: some 60 MiB less under load.
ENV KONTOR_DATA=/data KONTOR_HOST=0.0.0.0 KONTOR_PORT=8080 TMPDIR=/data MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["/usr/local/bin/kontor", "ready"]
ENTRYPOINT ["/usr/local/bin/kontor"]
CMD ["serve"]
