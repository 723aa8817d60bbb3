"""Quality: outcomes, confidence against feedback, times and engagement over time, each share with its interval."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import altair as alt
import pandas as pd
import streamlit as st
from scipy.stats import binomtest

from app.presentation import OUTCOMES
from app.staff import StaffDesk
from app.storage.staff import Engagement
from app.ui.staff.shown import DAYS
from app.variants import DEFAULT

DAY = "yearmonthdate(day):T"
Share = Callable[[Engagement], bool | None]
SHARES: dict[str, tuple[str, Share]] = {
    "Answered": ("turns that ended as “Answered” under Outcomes", lambda one: one.outcome == "clear"),
    "Asked something more": ("turns after which the customer went on", lambda one: one.followed),
    "Sources opened": ("turns of which the customer opened a source", lambda one: one.opened),
    "Thumbs up": ("thumbs that were up", lambda one: None if one.thumb is None else one.thumb == "up"),
}
"""The engagement figures of the papers: what is counted, and of which turns."""


def interval(values: Sequence[bool]) -> tuple[float, float, float]:
    """A share with its 95 % interval, after Wilson."""
    found = binomtest(sum(values), len(values)).proportion_ci(method="wilson")
    return sum(values) / len(values), float(found.low), float(found.high)


def quality(desk: StaffDesk) -> None:
    """Draw the figures of a time, and how they changed."""
    period = st.selectbox("Period", list(DAYS), index=1, key="quality-period")
    turns = desk.records.engagement(desk.now() - timedelta(days=DAYS[period]))
    if not turns:
        st.info("No turns in this time.")
        return
    for place, (name, (what, share)) in zip(st.columns(len(SHARES)), SHARES.items(), strict=True):
        told = [value for value in map(share, turns) if value is not None]
        if told:
            middle, low, high = interval(told)
            place.metric(
                name, f"{middle:.0%}", help=f"Share of {len(told):,} {what}; 95 % interval {low:.0%} to {high:.0%}"
            )
            place.caption(f"{low:.0%} to {high:.0%} of {len(told):,}")
        else:
            place.metric(name, "–", help=f"No {what} yet")
    _over_time(turns)
    _calibration(turns)
    _outcomes(turns)
    _times(turns)
    _variants(turns)


def _over_time(turns: Sequence[Engagement]) -> None:
    rows = []
    for name, (_, share) in SHARES.items():
        days: dict[str, list[bool]] = {}
        for one in turns:
            if (value := share(one)) is not None:
                days.setdefault(one.at.date().isoformat(), []).append(value)
        for day, values in days.items():
            middle, low, high = interval(values)
            rows.append({"day": day, "figure": name, "share": middle, "low": low, "high": high, "turns": len(values)})
    st.subheader("By day")
    base = alt.Chart(pd.DataFrame(rows)).encode(
        alt.X("yearmonthdate(day):T", title=None), alt.Color("figure:N", title=None)
    )
    share_axis = alt.Axis(format="%", title=None)
    line = base.mark_line(point=True).encode(
        alt.Y("share:Q", axis=share_axis), tooltip=["day:T", "figure", "share", "turns"]
    )
    band = base.mark_area(opacity=0.12).encode(alt.Y("low:Q", axis=share_axis), alt.Y2("high:Q"))
    st.altair_chart(band + line, width="stretch")


def _calibration(turns: Sequence[Engagement]) -> None:
    """How often answers of a confidence got a thumb up: as often as they say, where it is right."""
    bins: dict[int, list[Engagement]] = {}
    for one in turns:
        if one.thumb is not None:
            bins.setdefault(min(int(one.confidence * 5), 4), []).append(one)
    st.subheader("Confidence against feedback")
    if not bins:
        st.caption("No thumbs yet.")
        return
    rows = []
    for own in bins.values():
        middle, low, high = interval([one.thumb == "up" for one in own])
        said = sum(one.confidence for one in own) / len(own)
        rows.append({"confidence": said, "thumbs up": middle, "low": low, "high": high, "answers": len(own)})
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart(pd.DataFrame(rows)).encode(alt.X("confidence:Q", scale=scale, title="Confidence"))
    points = base.mark_point(filled=True, size=70).encode(
        alt.Y("thumbs up:Q", scale=scale, title="Thumbs up"), tooltip=["confidence", "thumbs up", "answers"]
    )
    bars = base.mark_rule(color="gray").encode(alt.Y("low:Q"), alt.Y2("high:Q"))
    right = alt.Chart(pd.DataFrame({"x": [0, 1], "y": [0, 1]})).mark_line(strokeDash=[4, 4], opacity=0.5)
    st.altair_chart(right.encode(x="x:Q", y="y:Q") + bars + points, width="stretch")


def _outcomes(turns: Sequence[Engagement]) -> None:
    st.subheader("Outcomes")
    frame = pd.DataFrame(
        {"day": [one.at.date().isoformat() for one in turns], "outcome": [OUTCOMES[one.outcome] for one in turns]}
    )
    chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            alt.X("yearmonthdate(day):T", title=None),
            alt.Y("count():Q", title="Turns"),
            alt.Color("outcome:N", title=None),
        )
    )
    st.altair_chart(chart, width="stretch")


def _times(turns: Sequence[Engagement]) -> None:
    ms = pd.Series([one.ms for one in turns])
    cached = [one.cached_share for one in turns if one.cached_share is not None]
    st.subheader("Time and cache")
    told = {"Half of the turns within": f"{ms.median():,.0f} ms", "95 of 100 within": f"{ms.quantile(0.95):,.0f} ms"}
    if cached:
        told["Of prompts from the cache"] = f"{sum(cached) / len(cached):.0%}"
    for place, (name, value) in zip(st.columns(len(told)), told.items(), strict=True):
        place.metric(name, value)


def _variants(turns: Sequence[Engagement]) -> None:
    """The same shares by the variant of the settings that answered, where there were several."""
    by_variant: dict[str, list[Engagement]] = {}
    for one in turns:
        by_variant.setdefault(one.variant or DEFAULT, []).append(one)
    if len(by_variant) == 1:
        return
    st.subheader("By variant")
    rows = []
    for variant, own in sorted(by_variant.items()):
        conversations = len({one.thread_id for one in own})
        row = {"variant": variant, "conversations": f"{conversations:,}", "turns": f"{len(own):,}"}
        for name, (_, share) in SHARES.items():
            told = [value for value in map(share, own) if value is not None]
            middle, low, high = interval(told) if told else (0.0, 0.0, 0.0)
            row[name] = f"{middle:.0%} ({low:.0%} to {high:.0%})" if told else "–"
        rows.append(row)
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.caption(
        "The intervals take each turn for itself. Turns of one conversation are alike, so that the true ones are wider."
    )
