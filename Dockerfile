# docker build --tag mjopt .
# The page:     docker run --rm --publish 127.0.0.1:8000:8000 --volume mjopt-games:/games mjopt
# Any command:  docker run --rm mjopt deficiency 123456m789p1146s1z

FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY requirements/test.lock requirements/
COPY mjopt mjopt
ARG EXTRAS=play
RUN python -m venv /opt/mjopt \
    && /opt/mjopt/bin/python -m pip install --no-cache-dir --constraint requirements/test.lock ".[${EXTRAS}]"

FROM python:3.13-slim
COPY --from=build /opt/mjopt /opt/mjopt
RUN useradd --create-home --uid 1000 mjopt \
    && install --directory --owner=mjopt --group=mjopt /games
ENV PATH=/opt/mjopt/bin:$PATH
USER 1000
WORKDIR /home/mjopt
VOLUME /games
EXPOSE 8000
# Ctrl-C and `docker stop` end the page as they end any mjopt command.
ENTRYPOINT ["mjopt"]
CMD ["serve", "--host", "0.0.0.0", "--games", "/games"]
