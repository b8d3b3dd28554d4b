# Livery in a container: the API, the workers and every command of the shell. It needs a PostgreSQL (DATABASE_URL).
FROM node:24-bookworm-slim AS build
WORKDIR /livery
COPY package.json package-lock.json tsconfig.json tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
# The reference shows the examples of the API guide.
COPY docs/api docs/api
# Readable for the user of the image, whatever the modes of the clone.
RUN npm ci && chmod -R a+rX .

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKERS_PORT=3001 LIVERY_DATA_DIR=/var/lib/livery
WORKDIR /livery
# The bundle has all JavaScript. The machine code that hashes passwords stays outside of it.
COPY --from=build /livery/packages/cli/package.json packages/cli/package.json
COPY --from=build /livery/packages/cli/bin packages/cli/bin
COPY --from=build /livery/packages/cli/dist/bundle packages/cli/dist/bundle
COPY --from=build /livery/node_modules/@node-rs node_modules/@node-rs
RUN ln -s /livery/packages/cli/bin/livery.js /usr/local/bin/livery \
 && install -d -o node -g node -m 0700 /var/lib/livery
USER node
VOLUME /var/lib/livery
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# The API listens on PORT, workers without the API on WORKERS_PORT: one of them has to be ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "Promise.any([process.env.PORT, process.env.WORKERS_PORT].map(async (port) => { const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`); if (!ok) throw new Error('not ready') })).catch(() => process.exit(1))"]
ENTRYPOINT ["livery"]
CMD ["serve"]
