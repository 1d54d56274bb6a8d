# The bot in a container; compose.yaml starts it, docs/hosting/container.md says how. To hold the base to its hash, too:
# docker build --build-arg PYTHON=3.13-slim-trixie@sha256:... .
ARG PYTHON=3.13-slim-trixie

FROM python:${PYTHON} AS build
ENV PIP_NO_CACHE_DIR=1
WORKDIR /src
# What others have made changes seldom: it is installed before the bot is copied.
COPY tasks.py ./
COPY deploy deploy
COPY locks locks
RUN ["python3", "tasks.py", "build", "--libraries", "/opt/focdle-bot"]
COPY . .
RUN ["python3", "tasks.py", "build", "--bot", "/opt/focdle-bot"]

FROM python:${PYTHON}
LABEL org.opencontainers.image.title="FoCdle Bot" \
      org.opencontainers.image.description="A Discord bot for people who like numbers: a daily equation in six guesses, duels, races" \
      org.opencontainers.image.licenses="MIT"
# Its folder is the one that may be written, and /tmp; `focdle-bot` carries out commands.
RUN groupadd --gid 10001 focdle \
    && useradd --uid 10001 --gid focdle --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin focdle \
    && install --directory --owner=focdle --group=focdle --mode=0700 /data \
    && printf '%s\n' '#!/bin/sh' 'exec /opt/focdle-bot/bin/python -m bot "$@"' > /usr/local/bin/focdle-bot \
    && chmod 755 /usr/local/bin/focdle-bot
COPY --from=build /opt/focdle-bot /opt/focdle-bot
ENV MPLCONFIGDIR=/tmp/matplotlib \
    PYTHONDONTWRITEBYTECODE=1 \
    HEALTH_ADDRESS=127.0.0.1:8080
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
    CMD ["/opt/focdle-bot/bin/python", "-m", "bot", "health"]
CMD ["/opt/focdle-bot/bin/python", "-m", "bot"]
