"""The report of a study in a real browser: drawn, linked, sortable, and quiet on the network."""

import pytest

from holdfast.report.study import write_report
from tests.report.studies import made_up

FEATURES = [f"feature {f}" for f in range(12)]
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
HOSTILE_TITLE = f"{HOSTILE}<svg onload=window.hacked=1> {{{{7*7}}}} \u2028 ${{7*7}}"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    results = made_up(
        selectors=("steady", "rain", "storm"), sizes=(2, 4, 6, 8, 10), failures=1, names=FEATURES
    )
    return write_report(results, tmp_path_factory.mktemp("page") / "study.html")


@pytest.fixture
def page(browser, path):
    """The page, with a selector looked into that always chooses the same four features."""
    return look_into(browser.open(path), "steady")


def look_into(page, name):
    page.run(
        "const list = document.getElementById('variant');"
        "list.value = [...list.options].findIndex((one) => one.text === arguments[0]);"
        "list.dispatchEvent(new Event('change', {bubbles: true}))",
        name,
    )
    shown = "getComputedStyle(document.querySelector('#chart-bars svg')).display"
    page.wait(f"document.getElementById('variant').selectedOptions[0].text === '{name}' && {shown}")
    return page


def test_every_chart_is_drawn_with_its_marks(page):
    marks = {
        "tradeoff": 18,  # a mark a variant; empty middles come on top
        "profiles": 15,
        "sizes": 3,
        "likeness": 18,
        "raster": 4 * 20,  # the variant shown: 4 features, always the same
        "bars": 4,
    }
    for name, least in marks.items():
        drawn = f"#chart-{name} svg .role-mark path"
        assert len(page.all(drawn)) >= least, name
        assert page.one(f"#chart-{name} svg").size["height"] > 60, name


def test_the_console_is_silent_and_nothing_is_fetched(page, path):
    page.click("#theme")
    assert page.complaints() == []
    assert page.requests() == [path.as_uri()]


def test_the_policy_stops_what_a_script_would_fetch(page):
    page.run("fetch('https://example.org/').catch(() => { window.stopped = true; })")
    page.wait("window.stopped")
    page.run("const i = new Image(); i.onerror = () => { window.noimage = true; };"
             "i.src = 'https://example.org/a.png'")  # fmt: skip
    page.wait("window.noimage")
    evaluated = page.run(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        "document.body.append(s); return window.ran"
    )
    assert evaluated is None
    assert not any("example.org" in address for address in page.requests())
    page.complaints()


def marked(page):
    """What is marked in the raster, the bars, their labels, and the tables."""
    return (
        page.ask("document.querySelectorAll('#chart-raster .mark-rect .picked').length"),
        page.ask("document.querySelectorAll('#chart-bars .mark-rect .picked').length"),
        sorted({one.text for one in page.all("svg text.picked")}),
        sorted({one.text for one in page.all("button.feature[aria-pressed=true]")}),
    )


def test_a_click_in_a_chart_marks_the_feature_everywhere(page):
    assert marked(page) == (0, 0, [], [])
    page.click("#chart-raster svg .mark-rect path:nth-child(25)")
    assert marked(page) == (20, 1, ["feature 1"], ["feature 1"])
    assert page.one("#picked-name").text == "feature 1"
    assert "chosen in 20 of 20 runs" in page.one("#picked-said").text
    assert "feature 1 is marked" in page.one("#said").get_attribute("textContent")
    assert len(page.all("#picked-everywhere .share")) == 18
    page.click("#chart-bars svg .mark-rect path:nth-child(3)")
    assert marked(page)[2:] == (["feature 2"], ["feature 2"])
    page.run(
        "[...document.querySelectorAll('#chart-bars svg .role-axis-label text')]"
        ".find((one) => one.textContent === 'feature 0').setAttribute('id', 'label')"
    )
    page.click("#label")
    assert marked(page)[2:] == (["feature 0"], ["feature 0"])
    page.click("#let-go")
    assert marked(page) == (0, 0, [], [])


def test_a_click_in_the_table_marks_it_in_the_charts(page):
    page.click("#frequencies tbody tr:nth-child(4) button")
    assert marked(page) == (20, 1, ["feature 3"], ["feature 3"])
    assert "picked" in page.one("#frequencies tbody tr:nth-child(4)").get_attribute("class")


def test_keys_go_from_feature_to_feature(page):
    from selenium.webdriver.common.keys import Keys

    page.run("document.getElementById('chart-raster').focus()")
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert marked(page)[3] == ["feature 1"]
    page.press(Keys.ARROW_UP)
    assert marked(page)[3] == ["feature 0"]
    page.press(Keys.ESCAPE)
    assert marked(page) == (0, 0, [], [])


def test_another_selector_can_be_looked_into_by_list_and_by_chart(page):
    page.click("#frequencies tbody tr:nth-child(1) button")
    look_into(page, "rain")
    page.wait("document.querySelectorAll('#chart-bars .mark-rect path').length > 4")
    page.wait("document.querySelectorAll('#chart-bars .mark-rect .picked').length === 1")
    assert page.one("#picked-said").text.startswith("rain: chosen in")
    page.click("#chart-likeness svg .mark-symbol path")
    page.wait("document.getElementById('variant').selectedOptions[0].text !== 'rain'")


def test_a_hover_tells_the_numbers(page):
    from selenium.webdriver import ActionChains

    element = page.one("#chart-bars svg .mark-rect path")
    page.run("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(page.driver).move_to_element(element).perform()
    page.wait("document.querySelector('#vg-tooltip-element.visible')")
    assert "feature 0" in page.one("#vg-tooltip-element").text
    assert "100.0%" in page.one("#vg-tooltip-element").text


def column(page, table, number):
    return [one.text for one in page.all(f"{table} tbody tr > :nth-child({number})")]


def test_tables_are_sorted_by_keyboard(page):
    from selenium.webdriver.common.keys import Keys

    table = "#compared table"
    head = f"{table} thead th:nth-child(2)"
    page.run("arguments[0].focus()", page.one(f"{head} button"))
    page.press(Keys.ENTER)
    values = [float(value) for value in column(page, table, 2)]
    assert values == sorted(values, reverse=True)
    assert page.one(head).get_attribute("aria-sort") == "descending"
    assert "Sorted by accuracy, descending" in page.one("#said").get_attribute("textContent")
    page.press(Keys.SPACE)
    values = [float(value) for value in column(page, table, 2)]
    assert values == sorted(values)
    names = f"{table} thead th:nth-child(1) button"
    page.run("arguments[0].focus()", page.one(names))
    page.press(Keys.ENTER)
    assert column(page, table, 1) == sorted(column(page, table, 1))
    assert page.one(head).get_attribute("aria-sort") == "none"


def test_the_features_are_sorted_and_found(page):
    page.click("#frequencies thead th:nth-child(1) button")
    page.click("#frequencies thead th:nth-child(1) button")
    names = column(page, "#frequencies", 1)
    assert names == sorted(names, reverse=True)
    page.one("#filter").send_keys("TURE 2")
    assert column(page, "#frequencies", 1) == ["feature 2"]
    assert page.one("#page-said").text == "1 feature ever chosen; page 1 of 1"


def test_everything_can_be_reached_by_the_tab_key_and_is_named(page):
    nameless = page.ask(
        "[...document.querySelectorAll('button, select, input, a[href], [tabindex=\"0\"]')]"
        ".filter((one) => !(one.textContent.trim() || one.labels?.length"
        " || one.getAttribute('aria-label')) || one.tabIndex < 0).length"
    )
    assert nameless == 0
    unnamed = page.ask(
        "[...document.querySelectorAll('.chart')]"
        ".filter((one) => !(one.getAttribute('aria-label') || '').length).length"
    )
    assert unnamed == 0


def luminance(page, css, what):
    return page.run(
        "const [r, g, b] = getComputedStyle(arguments[0])[arguments[1]].match(/[0-9.]+/g);"
        "return 0.2126 * r + 0.7152 * g + 0.0722 * b",
        page.one(css),
        what,
    )


def test_it_is_dark_where_the_system_is_and_on_demand(page):
    label = "#chart-bars svg .role-axis-label text"
    assert luminance(page, "body", "backgroundColor") > 240
    assert luminance(page, label, "fill") < 80
    page.emulate(scheme="dark")
    assert luminance(page, "body", "backgroundColor") < 40
    assert luminance(page, label, "fill") > 180
    assert luminance(page, "#chart-sizes svg .mark-symbol path", "fill") > 80
    page.click("#theme")
    assert luminance(page, "body", "backgroundColor") > 240
    assert page.one("#theme").text == "Dark"
    page.click("#theme")
    assert luminance(page, label, "fill") > 180


def test_it_is_printed_light_and_unfolded(page):
    page.click("#theme")
    assert luminance(page, "body", "backgroundColor") < 40
    page.emulate(scheme="dark", media="print")
    assert luminance(page, "body", "color") < 60
    assert luminance(page, "#chart-bars svg .role-axis-label text", "fill") < 80
    assert not page.one("nav").is_displayed()
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.ask("document.querySelectorAll('details:not([open])').length") == 0
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.ask("document.querySelectorAll('details[open]').length") == 0
    assert page.printed().startswith(b"%PDF")


def test_a_phone_shows_it_without_scrolling_sideways(browser, path):
    page = browser.open(path, 390, 800)
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")
    for name in ("tradeoff", "raster", "bars"):
        assert page.ask(f"document.querySelector('#chart-{name} svg').clientWidth <= innerWidth")


def test_names_with_markup_and_script_never_run(browser, tmp_path):
    results = made_up(
        names=[HOSTILE, HOSTILE_TITLE, *"abcdefghij"],
        selectors=(HOSTILE, HOSTILE_TITLE),
        models=(HOSTILE,),
        title=HOSTILE_TITLE,
        sizes=(2, 4, 6, 8),
        failures=1,
    )
    page = browser.open(write_report(results, tmp_path / "hostile.html"))
    page.click("#chart-raster svg .mark-rect path")
    page.click("#frequencies tbody tr:nth-child(2) button")
    page.click("#frequencies thead button")
    for chart in ("bars", "raster", "tradeoff", "likeness"):
        page.run(
            "arguments[0].dispatchEvent(new MouseEvent('mousemove', {bubbles: true}));",
            page.one(f"#chart-{chart} svg .role-mark path"),
        )
    assert page.ask("window.hacked") is None
    assert page.one("h1").text.startswith("</script><script>")
    assert page.ask("document.querySelectorAll('img, script:not([type])').length") == 2
    assert page.complaints() == []
    assert len(page.requests()) == 1
    assert page.one("#picked-name").get_attribute("textContent") in (HOSTILE, HOSTILE_TITLE)


def test_a_study_without_runs_is_told_quietly(browser, tmp_path):
    page = browser.open(write_report(made_up(n_runs=0), tmp_path / "empty.html"))
    assert "Nothing can be recommended" in page.one("#recommendation").text
    assert page.complaints() == []


def test_a_large_study_opens_in_seconds(browser, tmp_path):
    results = made_up(1000, 5000, [f"s{i}" for i in range(5)], chosen=50)
    page = browser.open(write_report(results, tmp_path / "large.html"))
    assert page.one("#blocks").text.strip().startswith("A column stands for several runs")
    assert page.complaints() == []
