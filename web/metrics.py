"""Figures of a running table, as Prometheus reads them."""

from collections.abc import Iterator

from flask import Flask, Response, jsonify
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from web.access import Access
from web.desk import Desk
from web.house import House

FAST = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
DISK = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0)


class Figures:
    """What a table measures while it runs; handed to whoever decides, read by /metrics."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._published = Histogram(
            "companion_capture_to_publish_seconds",
            "From the moment a thing happened to its step on the screens, in the game's time.",
            ["source"],
            buckets=FAST,
            registry=self.registry,
        )
        self._kept = Histogram(
            "companion_journal_fsync_seconds",
            "From a step to the moment it is durable.",
            buckets=DISK,
            registry=self.registry,
        )

    def kept(self, seconds: float) -> None:
        """A step is durable, after so long."""
        self._kept.observe(seconds)

    def published(self, source: str, seconds: float) -> None:
        """A step is on the screens, so long after it was captured."""
        self._published.labels(source.partition(":")[0] or "unknown").observe(max(0.0, seconds))


class TableCollector(Collector):
    """Looks at the desk whenever somebody asks for the figures."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def collect(self) -> Iterator[Metric]:
        """Everything that is a state rather than something that happened."""
        feed = self._desk.feed
        yield GaugeMetricFamily("companion_viewers", "Screens that follow.", feed.viewers)
        yield CounterMetricFamily(
            "companion_viewers_dropped", "Screens that were too slow to follow.", feed.dropped
        )
        yield CounterMetricFamily("companion_messages_lost", "Messages never sent.", feed.lost)
        if not isinstance(self._desk, House):
            return
        gauges = self._desk.gauges()
        ages = GaugeMetricFamily(
            "companion_frame_age_seconds", "Since a sensor had told everything.", labels=["source"]
        )
        for source, age_s in gauges["ages_s"].items():
            ages.add_metric([source], max(0.0, age_s))
        lost = CounterMetricFamily(
            "companion_lost_lines", "Reports of smart dice lost for good.", labels=["source"]
        )
        for source, count in gauges["lost_lines"].items():
            lost.add_metric([source], count)
        yield ages
        yield lost


def show_health(app: Flask, desk: Desk, access: Access, figures: Figures) -> None:
    """Serve /healthz for everybody, and /metrics for those who may look."""
    figures.registry.register(TableCollector(desk))

    @app.get("/healthz")
    def healthz() -> tuple[Response, int]:
        health = desk.health() if isinstance(desk, House) else {"ok": True, "troubles": []}
        status = 200 if health["ok"] else 503
        if not access.roles().look:
            return jsonify({"ok": health["ok"]}), status
        feed = desk.feed
        numbers = {"boot": feed.boot, "viewers": feed.viewers, "dropped": feed.dropped}
        return jsonify({**health, **numbers}), status

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(generate_latest(figures.registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
