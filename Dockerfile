# Kizuki as an image: one process, one volume, no root, and nothing written outside /data and /tmp.
#   docker build -t kizuki .                          as it is
#   docker build -t kizuki --build-arg EXTRAS=[e5] .  with the larger embedder, whose model is mounted (docs/operating.md)
FROM python:3.11-slim AS build
ARG EXTRAS=""
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY jobs jobs
COPY lessons lessons
COPY storage storage
RUN python -m venv /opt/kizuki && /opt/kizuki/bin/pip install --no-cache-dir --disable-pip-version-check ".${EXTRAS}"

FROM python:3.11-slim
# The Japanese font of the charts and the time zones come as Python packages (matplotlib-fontja, tzdata).
RUN groupadd --gid 10001 kizuki \
    && useradd --uid 10001 --gid kizuki --no-create-home --home-dir /data --shell /usr/sbin/nologin kizuki \
    && install --directory --owner kizuki --group kizuki /data /models
COPY --from=build /opt/kizuki /opt/kizuki
ENV PATH=/opt/kizuki/bin:$PATH \
    KIZUKI_DATA=/data \
    HEALTH_PORT=8642 \
    MPLCONFIGDIR=/tmp/matplotlib \
    HF_HOME=/models \
    HF_HUB_OFFLINE=1 \
    PYTHONDONTWRITEBYTECODE=1
# The number, so that an orchestrator can tell that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
# The drain takes ten seconds at most: give it thirty (docker stop --time 30, stop_grace_period: 30s).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s --retries=3 CMD ["kizuki", "health"]
ENTRYPOINT ["kizuki"]
CMD ["run"]
