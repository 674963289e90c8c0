# Image of the `burgee` command: server, admin UI, proxy and edge. See docs/installing.md.
ARG NODE=26-bookworm-slim

# The build result is the same for every platform, so it is built once, on the platform of the builder
FROM --platform=$BUILDPLATFORM node:${NODE} AS build
WORKDIR /source
COPY . .
RUN node scripts/setup.mjs && node_modules/.bin/node scripts/image-files.mjs /app
# Users that a platform generates belong to group 0
RUN install --directory --mode=770 /volumes/data

FROM node:${NODE}
LABEL org.opencontainers.image.title="Burgee" \
      org.opencontainers.image.description="Feature flags for every Unleash SDK: server, proxy and edge" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /app /app
COPY --from=build --chown=1000:0 /volumes/ /
ENV NODE_ENV=production \
    HTTP_HOST=0.0.0.0 \
    DATA_DIR=/data \
    FLAG_BACKUP_FOLDER=/data/backup
VOLUME /data
WORKDIR /app
USER 1000:0
# ports of server, proxy and edge
EXPOSE 4242 3000 3063
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["node", "/app/burgee.mjs", "health"]
ENTRYPOINT ["node", "/app/burgee.mjs"]
CMD ["server"]
