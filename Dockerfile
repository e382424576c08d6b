FROM node:24-slim AS build
# The runtime inside the executable needs libatomic, which the final image lacks.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /kontor
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The data belongs to group 0, so that any other user works as well: engines start unknown users in that group.
# What is copied keeps its mode, except the copied directory itself.
RUN npm run build && install -d -o 10001 -g 0 -m 770 /volume/data && install -d /libraries && \
    cp -L "$(ldd dist/kontor | grep -o '/[^ ]*libatomic[^ ]*')" /libraries/

FROM gcr.io/distroless/cc-debian12
LABEL org.opencontainers.image.title="Kontor" \
      org.opencontainers.image.description="A self-hosted, multi-tenant sales CRM" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.vendor="The Kontor authors" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="gcr.io/distroless/cc-debian12"
COPY --from=build /libraries/ /usr/lib/
COPY --from=build /kontor/dist/kontor /usr/local/bin/kontor
COPY --from=build --chown=10001:0 /volume/ /
USER 10001:0
# TMPDIR: where SQLite's addon is unpacked, so that nothing else has to be writable. MALLOC_ARENA_MAX: some 60 MiB less under load.
ENV KONTOR_DATA=/data KONTOR_HOST=0.0.0.0 KONTOR_PORT=8080 TMPDIR=/data MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["/usr/local/bin/kontor", "ready"]
ENTRYPOINT ["/usr/local/bin/kontor"]
CMD ["serve"]
