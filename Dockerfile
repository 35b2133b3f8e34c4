# Kizuki as an image: one process, one volume, no root.
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY jobs jobs
COPY lessons lessons
COPY storage storage
RUN python -m venv /opt/kizuki && /opt/kizuki/bin/pip install --no-cache-dir --disable-pip-version-check .

FROM python:3.11-slim
RUN groupadd --gid 10001 kizuki \
    && useradd --uid 10001 --gid kizuki --no-create-home --home-dir /data --shell /usr/sbin/nologin kizuki \
    && install --directory --owner kizuki --group kizuki /data
COPY --from=build /opt/kizuki /opt/kizuki
ENV PATH=/opt/kizuki/bin:$PATH \
    KIZUKI_DATA=/data \
    PYTHONDONTWRITEBYTECODE=1
# The number, so that an orchestrator can tell that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
# The drain takes ten seconds at most: give it thirty (docker stop --time 30, stop_grace_period: 30s).
STOPSIGNAL SIGTERM
ENTRYPOINT ["kizuki"]
CMD ["run"]
