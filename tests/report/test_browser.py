"""The page in a real browser: it folds, pans, zooms, lights up ways, sorts, and says nothing on the console."""

import json

import numpy as np
import pandas as pd
import pytest
from report.chromium import needs_chromium
from report.conftest import loans
from report.test_page import ODD, odd_tree
from strategies_tree import staircase

import bristlecone as bc
from bristlecone.report import page
from bristlecone.tree.names import shown

pytestmark = needs_chromium
NODES = "document.querySelectorAll('#tree [data-node]').length"


@pytest.fixture
def shown_page(chromium, tmp_path):
    """Opens the page of a model; afterwards nothing was said on the console and no network was asked."""

    def show(model, *given, browser=None, **options):
        path = tmp_path / "page.html"
        page(model, *given, path=path, **options)
        chromium.open(path, **(browser or {}))
        return chromium

    yield show
    assert chromium.log == []
    assert [address for address in chromium.requests if not address.startswith("file://")] == []
    assert len(chromium.requests) == 1


def test_a_node_folds_and_unfolds_by_mouse_and_keys(shown_page, fitted):
    model, X, y = fitted
    browser = shown_page(model, X, y)
    browser.run(
        "document.documentElement.style.scrollBehavior = 'auto'; document.querySelector('#tree').scrollIntoView()"
    )
    before = browser.run(NODES)
    assert before > 3
    box = browser.run(
        "(b => [b.x + 30, b.y + b.height / 2])(document.querySelector('[data-node=\"0\"]').getBoundingClientRect())"
    )
    browser.click(*box)
    assert browser.run(NODES) == 1
    assert browser.run("document.activeElement.getAttribute('aria-expanded')") == "false"
    assert "folded" in browser.run("document.getElementById('tree-node').textContent")
    browser.press("Enter")
    assert browser.run(NODES) == before
    browser.press("ArrowRight")
    assert browser.run("document.activeElement.dataset.node") == "1"
    browser.press("ArrowDown")
    browser.press("ArrowUp")
    browser.press("ArrowLeft")
    assert browser.run("document.activeElement.dataset.node") in ("0", "1")
    browser.press("End")
    assert int(browser.run("document.activeElement.dataset.node")) == model.tree_.n_nodes - 1


def test_it_zooms_and_pans(shown_page, fitted):
    browser = shown_page(fitted[0])
    view = "document.getElementById('tree').getAttribute('viewBox').split(' ').map(Number)"
    before = browser.run(view)
    browser.run("document.getElementById('zoom-in').click()")
    assert browser.run(view)[2] == pytest.approx(0.8 * before[2], rel=1e-3)
    browser.run("document.getElementById('zoom-fit').click()")
    assert browser.run(view) == before
    box = browser.run("(b => [b.x, b.y])(document.getElementById('tree').getBoundingClientRect())")
    x, y = box[0] + 300, box[1] + 20
    for kind, at in (("mousePressed", x), ("mouseMoved", x + 60), ("mouseReleased", x + 60)):
        browser.ask("Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left", buttons=1, clickCount=1)
    assert browser.run(view)[0] < before[0]


def choose(browser, row):
    browser.run(f"document.getElementById('row-number').value = '{row}'")
    browser.run("document.querySelector('#row-form button').click()")


def test_the_way_of_a_chosen_row_is_lit_up(shown_page, fitted):
    model, X, y = fitted
    browser = shown_page(model, X, y)
    stops = model.tree_.apply(X)
    for row in (0, 17, 499):
        choose(browser, row)
        way = model.tree_.decision_path(X.iloc[row : row + 1]).indices.tolist()
        lit = browser.run("[...document.querySelectorAll('.node.lit')].map(g => Number(g.dataset.node))")
        assert sorted(lit) == way and browser.run("Number(document.getElementById('way').dataset.stop)") == stops[row]
    for wrong in ("500", "-1", "", "x"):
        choose(browser, wrong)
        assert "There is no row" in browser.run("document.getElementById('way').textContent")


TYPE_IN = """
(rows => rows.map(row => {
  for (const input of document.querySelectorAll('#cells-form input')) input.value = row[input.dataset.column];
  document.querySelector('#cells-form button').click();
  return Number(document.getElementById('way').dataset.stop ?? -1);
}))
"""


def typed(tree, X):
    """What a person would type in for each row."""
    table = tree.schema.read(X)
    cells = [table.row(i) for i in range(table.n_rows)]
    return [[written(row[name]) for name in tree.schema.names] for row in cells]


def written(cell):
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return shown(cell) if isinstance(cell, str) else str(cell)


@pytest.mark.parametrize("unseen", ["stop", "heavier"])
def test_a_row_that_is_typed_in_goes_the_way_that_the_tree_sends_it(shown_page, unseen):
    X, y = loans(900, seed=4)
    tree = bc.DecisionTreeClassifier(unseen=unseen, min_samples_leaf=3).fit(X[:600], y[:600]).tree_
    rows = X[600:720].copy()
    rows.loc[rows.index[:20], "purpose"] = "yacht"
    rows.loc[rows.index[20:40], ["income", "region"]] = None
    threshold = tree.threshold[tree.feature == 0]
    near = np.concatenate([threshold, np.nextafter(threshold, -np.inf), np.nextafter(threshold, np.inf)])
    near = near[np.isfinite(near)][:60]
    rows.loc[rows.index[40 : 40 + len(near)], "income"] = near
    browser = shown_page(tree)
    assert browser.run(f"{TYPE_IN}({json.dumps(typed(tree, rows))})") == tree.apply(rows).tolist()


def test_what_cannot_be_read_is_refused_by_name(shown_page):
    X, y = loans(300)
    tree = bc.DecisionTreeClassifier(missing="error", unseen="error").fit(X.fillna({"income": 0}), y).tree_
    browser = shown_page(tree)
    fill = (
        "(input => { input.value = '%s'; document.querySelector('#cells-form button').click() })"
        "(document.querySelector('[data-column=\"%d\"]'))"
    )
    told = "document.getElementById('way').textContent"
    root = int(tree.feature[0])
    browser.run(fill % ("", root))
    assert "refuses missing values" in browser.run(told)
    browser.run(fill % ("twelve", 0))
    assert "income: “twelve” is no number" in browser.run(told)
    browser.run(fill % ("1e4", 0))
    browser.run(fill % ("31.12.2024", 3))
    assert "opened: “31.12.2024” is no time like 2024-12-31 23:59:59" in browser.run(told)


def test_tables_sort(shown_page, fitted):
    model, X, y = fitted
    browser = shown_page(model, X, y, rows="new")
    head = "document.querySelectorAll('table.sortable')[0].tHead.rows[0].cells[7]"
    values = (
        "[...document.querySelectorAll('table.sortable')[0].tBodies[0].rows].map(r => Number(r.cells[7].dataset.value))"
    )
    browser.run(f"{head}.querySelector('button').click()")
    assert browser.run(values) == sorted(browser.run(values), reverse=True)
    browser.run(f"{head}.querySelector('button').click()")
    assert browser.run(values) == sorted(browser.run(values))
    assert browser.run(f"{head}.getAttribute('aria-sort')") == "ascending"


def test_c57_odd_names_are_shown_literally_and_nothing_runs(shown_page):
    model, frame = odd_tree()
    browser = shown_page(model, frame, ODD, target="</script><script>document.title = 'broken'</script>")
    assert "broken'</script>" in browser.run("document.title") and browser.run("document.scripts.length") == 4
    browser.run("document.getElementById('unfold-all').click()")
    told = browser.run("[...document.querySelectorAll('#tree title')].map(t => t.textContent).join('|')")
    for name in ODD:
        assert shown(name) in told
    assert browser.run("document.querySelectorAll('main b, main img').length") == 0


def test_a_script_from_elsewhere_does_not_run(chromium, tmp_path, fitted):
    path = tmp_path / "page.html"
    path.write_text(page(fitted[0]).replace("</main>", "<script>window.broken = 1</script></main>"))
    chromium.open(path)
    assert chromium.run("window.broken") is None
    assert any("Content Security Policy" in said for said in chromium.log)


def large(n_leaves, n_columns=8):
    rng = np.random.default_rng(0)
    X = rng.random((4 * n_leaves, n_columns))
    return bc.DecisionTreeRegressor(max_leaf_nodes=n_leaves).fit(X, rng.random(4 * n_leaves)), X


def test_c58_a_tree_of_two_thousand_leaves_opens_folded_and_stays_small(shown_page, tmp_path):
    model, X = large(2000)
    y = model.predict(X) + 0.1
    browser = shown_page(model, X, y)
    assert model.get_n_leaves() == 2000
    assert (tmp_path / "page.html").stat().st_size < 3_000_000
    assert browser.run(NODES) < 60
    browser.run("document.getElementById('unfold-all').click()")
    assert browser.run(NODES) == model.tree_.n_nodes


def test_c55_a_chain_is_drawn(shown_page):
    browser = shown_page(staircase(1200))
    assert browser.run(NODES) > 3
    browser.run("document.getElementById('unfold-all').click()")
    assert browser.run(NODES) == 2401
    browser.press("End")


def test_the_page_of_ten_thousand_leaves_stays_small_and_opens(shown_page, tmp_path):
    browser = shown_page(large(10_000)[0])
    assert (tmp_path / "page.html").stat().st_size < 6_000_000
    assert browser.run(NODES) < 60


@pytest.mark.parametrize("browser", [{}, {"dark": True}, {"width": 390, "height": 844, "phone": True}])
def test_no_part_is_wider_than_the_window(shown_page, fitted, browser):
    model, X, y = fitted
    seen = shown_page(model, X, y, rows="new", browser=browser)
    assert seen.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert seen.run("document.documentElement.scrollWidth") <= browser.get("width", 1200)


def test_every_picture_and_control_has_a_name(shown_page, fitted):
    model, X, y = fitted
    browser = shown_page(model, X, y, rows="new")
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "textbox", "combobox", "searchbox", "image", "img", "link", "tree", "treeitem", "region"}
    named = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored")]
    assert {"treeitem", "button", "link", "tree"} <= {role for role, _ in named}
    assert [(role, name) for role, name in named if role in roles and not name.strip()] == []


def test_it_prints(shown_page, fitted):
    model, X, y = fitted
    browser = shown_page(model, X, y)
    assert len(browser.ask("Page.printToPDF")["data"]) > 20_000


def test_colours_of_text_are_readable(shown_page, fitted):
    contrast = """
    (() => {
      const linear = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
      const light = colour => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(linear);
        return .2126 * r + .7152 * g + .0722 * b;
      };
      const probe = document.createElement('i');
      document.body.append(probe);
      const value = name => { probe.style.color = `var(${name})`; return light(getComputedStyle(probe).color); };
      const ratio = (a, b) => (Math.max(value(a), value(b)) + .05) / (Math.min(value(a), value(b)) + .05);
      const [inks, papers] = [['--ink', '--soft', '--accent', '--lit'], ['--paper', '--panel', '--box']];
      return inks.flatMap(ink => papers.map(paper => [ink, paper, ratio(ink, paper)]));
    })()
    """
    for dark in (False, True):
        browser = shown_page(fitted[0], browser={"dark": dark})
        assert [pair for pair in browser.run(contrast) if pair[2] < 4.5] == []


def test_a_certified_vote_says_how_sure_it_is_and_leads_to_its_certificate(shown_page):
    X, y = loans(900)
    model = bc.PACBayesTreeClassifier(mode="certified").fit(X[:600], y[:600])
    browser = shown_page(model, X[600:], y[600:], rows="new")
    assert browser.run("document.querySelectorAll('.facts .figure')[2].textContent").startswith("at most ")
    browser.run("document.querySelector('nav a[href=\"#certificate\"]').click()")
    section = browser.run("document.querySelector(location.hash).closest('section').textContent")
    assert model.certificate_.sentence in section and "Assumed: " in section


def test_a_page_without_splits(shown_page):
    browser = shown_page(bc.DecisionTreeClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), [1, 1]))
    browser.run("document.querySelector('#cells-form button').click()")
    assert browser.run("document.getElementById('way').dataset.stop") == "0"
