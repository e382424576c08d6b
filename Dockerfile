FROM node:24-slim AS build
WORKDIR /kontor
COPY package.json package-lock.json ./
COPY test/client/package.json test/client/
RUN npm ci
COPY . .
RUN npm run build && install -d -o 10001 -g 10001 /data

FROM gcr.io/distroless/cc-debian12
COPY --from=build /kontor/dist/kontor /usr/local/bin/kontor
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
ENV KONTOR_DATA=/data KONTOR_HOST=0.0.0.0 KONTOR_PORT=8080
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/kontor"]
CMD ["serve"]
