"""What is typed into the page is read strictly; on a narrow screen the boxes stand below each other."""

import pandas as pd
import pytest
from report.chromium import needs_chromium
from strategies_tree import Leaf, Split, build

import bristlecone as bc
from bristlecone.report import page
from bristlecone.table.schema import ColumnSchema, Kind, Schema

pytestmark = needs_chromium
PHONE = {"width": 390, "height": 844, "phone": True}
NODES = "[...document.querySelectorAll('#tree [data-node]')]"
PLACES = f"{NODES}.map(g => g.transform.baseVal[0].matrix).map(m => [m.e, m.f])"
DEPTHS = f"{NODES}.map(g => Number(g.ariaLevel) - 1)"


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens the page of a model."""

    def open_page(model, *given, browser=None, **options):
        path = tmp_path / "page.html"
        page(model, *given, path=path, **options)
        chromium.open(path, **(browser or {}))
        return chromium

    yield open_page
    chromium.ask("Emulation.setTouchEmulationEnabled", enabled=False)
    assert chromium.log == []


def dated():
    schema = Schema((ColumnSchema("day", Kind.DATE, unit="D"), ColumnSchema("at", Kind.DATETIME, unit="us")))
    return build(Split(0, 0.0, Leaf((1, 0)), Split(1, 0.0, Leaf((2, 1)), Leaf((0, 1)))), schema=schema)


@pytest.mark.parametrize(
    ("day", "at", "says"),
    [
        ("1969-12-31", "", "ends in leaf 1"),
        ("1970-01-01", "1969-12-31 23:59:59.999999", "ends in leaf 3"),
        ("2024-02-29", "1970-01-01", "ends in leaf 4"),
        ("2023-02-29", "1970-01-01", "day: “2023-02-29” is no date like"),
        ("2024-04-31", "1970-01-01", "day: “2024-04-31” is no date like"),
        ("2024-02-29", "2023-02-30 10:00", "at: “2023-02-30 10:00” is no time like"),
        ("2024-02-29", "2023-02-03 24:00", "at: “2023-02-03 24:00” is no time like"),
    ],
)
def test_only_days_that_there_are_can_be_typed_in(opened, day, at, says):
    browser = opened(dated())
    for place, text in enumerate((day, at)):
        browser.run(f"document.querySelector('[data-column=\"{place}\"]').value = '{text}'")
    browser.run("document.getElementById('cells-form').requestSubmit()")
    assert says in browser.run("document.getElementById('way').textContent")


def test_a_boolean_is_true_or_false_and_nothing_else(opened):
    schema = Schema((ColumnSchema("member", Kind.BOOLEAN),))
    browser = opened(build(Split(0, 0.5, Leaf((1, 0)), Leaf((0, 1))), schema=schema))
    said = {}
    for typed in ("constructor", "Yes", "0", "2"):
        browser.run(f"document.querySelector('[data-column]').value = '{typed}'")
        browser.run("document.getElementById('cells-form').requestSubmit()")
        said[typed] = browser.run("document.getElementById('way').textContent")
    assert "ends in leaf 2" in said["Yes"] and "ends in leaf 1" in said["0"]
    assert all("is neither true nor false" in said[typed] for typed in ("constructor", "2"))


@pytest.mark.parametrize(
    ("typed", "says"), [(" 3 ", "Row 3"), ("1,002", "Row 1002"), (" ", "no row"), ("1e0", "no row 1e0")]
)
def test_a_row_is_chosen_by_its_number(opened, typed, says):
    X = pd.DataFrame({"x": range(1100)})
    model = bc.DecisionTreeClassifier().fit(X, X["x"] > 500)
    browser = opened(model, X, X["x"] > 500)
    browser.run(f"document.getElementById('row-number').value = '{typed}'")
    browser.run("document.getElementById('row-form').requestSubmit()")
    assert says in browser.run("document.getElementById('way').textContent")


def test_boxes_stand_below_each_other_on_a_narrow_screen(opened, fitted):
    browser = opened(fitted[0], browser=PHONE)
    places = browser.run(PLACES)
    assert [y for _, y in places] == sorted({y for _, y in places})  # one below the other
    assert [x for x, _ in places] == [22 * depth for depth in browser.run(DEPTHS)]
    wide = opened(fitted[0])
    assert len({x for x, _ in wide.run(PLACES)}) == 1 + max(wide.run(DEPTHS))


def test_under_a_finger_the_drawing_is_as_high_as_what_is_unfolded(opened, fitted):
    model, X, y = fitted
    browser = opened(model, X, y)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.open(browser.run("decodeURI(location.pathname)"), **PHONE)
    assert browser.run("matchMedia('(pointer: coarse)').matches")
    reached = f"Math.max(...{NODES}.map(g => g.getBoundingClientRect().bottom))"
    bottom = "document.getElementById('tree').getBoundingClientRect().bottom"
    folded = "[...document.querySelectorAll('#tree [aria-expanded=false]')]"
    for _ in range(3):
        assert browser.run(reached) <= browser.run(bottom)
        if not browser.run(f"{folded}.length"):
            break
        browser.run(f"{folded}.at(-1).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    browser.run("document.getElementById('row-number').value = '7'")
    browser.run("document.getElementById('row-form').requestSubmit()")
    assert browser.run(reached) <= browser.run(bottom)


def test_boxes_have_short_numbers_and_all_digits_when_pointed_at(opened):
    schema = Schema((ColumnSchema("x", Kind.NUMERIC),))
    first, second = 0.48291743920174, 0.4829174392991
    tree = build(Split(0, first, Leaf((1, 0)), Split(0, second, Leaf((2, 1)), Leaf((0, 1)))), schema=schema)
    browser = opened(tree)
    said = browser.run("[...document.querySelectorAll('#tree .say')].map(t => t.textContent)")
    assert {"x < 0.4829174392", "x < 0.4829174393"} <= set(said)
    titles = browser.run("[...document.querySelectorAll('#tree title')].map(t => t.textContent)")
    assert any(f"x < {first};" in title for title in titles) and any(
        f"x ≥ {second} or missing;" in title for title in titles
    )
    assert str(second) in browser.run("document.querySelector('#rules').closest('section').textContent")


def test_on_paper_the_whole_drawing_and_every_column_can_be_seen(opened, fitted):
    model, X, y = fitted
    browser = opened(model, X, y, rows="new")
    browser.ask("Emulation.setEmulatedMedia", media="print")
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    browser.ask("Emulation.setDeviceMetricsOverride", width=720, height=1000, deviceScaleFactor=1, mobile=False)
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    x, y0, wide, high = browser.run("document.getElementById('tree').getAttribute('viewBox').split(' ').map(Number)")
    assert all(x <= left <= x + wide - 214 and y0 <= top <= y0 + high - 62 for left, top in browser.run(PLACES))
    assert browser.run("[...document.querySelectorAll('.scroll')].every(box => box.scrollWidth <= box.clientWidth)")
    assert browser.run("getComputedStyle(document.querySelector('h3')).display") == "none"
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    browser.ask("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("browser", [PHONE, {}])
def test_an_audit_can_be_read_on_any_screen(chromium, tmp_path, fitted, browser):
    _, X, y = fitted
    wide = X.rename(columns={"income": "n" * 300})
    grown = bc.DecisionTreeClassifier(min_samples_leaf=40).fit(wide[:250], y[:250])
    bc.audit(grown, wide[250:].reset_index(drop=True), y[250:]).write(tmp_path / "audit.html")
    chromium.open(tmp_path / "audit.html", **browser)
    assert chromium.log == []
    assert chromium.run("document.documentElement.scrollWidth <= window.innerWidth")
    table = "document.querySelector('table.findings')"
    assert chromium.run(
        f"(b => b.scrollHeight <= b.clientHeight && b.scrollWidth <= b.clientWidth)({table}.parentElement)"
    )
    widths = chromium.run(f"[...{table}.querySelectorAll('td:last-child')].map(cell => cell.offsetWidth)")
    assert min(widths) > 0.45 * chromium.run("window.innerWidth")
    assert chromium.run("document.querySelector('nav a').getAttribute('href')") == "#findings"
    columns = "document.querySelector('#columns').closest('section').querySelector('.scroll')"
    assert chromium.run(f"(b => b.scrollWidth <= Math.max(b.clientWidth, 640))({columns})")
