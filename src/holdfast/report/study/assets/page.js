"use strict";
(() => {
  const study = JSON.parse(document.getElementById("study").textContent);
  const at = (id) => document.getElementById(id);
  const made = (tag, text, properties = {}) => {
    const element = Object.assign(document.createElement(tag), properties);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const say = (text) => { at("said").textContent = text; };
  const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

  // ---- Light and dark: the style sheet has the colours, of the charts too.

  const night = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : night.matches);
  const nameTheme = () => { at("theme").textContent = isDark() ? "Light" : "Dark"; };
  at("theme").hidden = false;
  at("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  night.addEventListener("change", nameTheme);
  nameTheme();

  // ---- Charts.

  const text = { labelColor: "var(--ink)", titleColor: "var(--ink)", labelFontSize: 12, titleFontSize: 12 };
  const config = () => ({
    background: null,
    font: "system-ui, sans-serif",
    text: { fontSize: 12 },
    axis: { ...text, gridColor: "var(--line)", domainColor: "var(--soft)", tickColor: "var(--soft)",
      labelLimit: innerWidth < 700 ? 110 : 220, titleFontWeight: 500 },
    legend: { ...text, orient: "bottom", columns: innerWidth < 700 ? 1 : 4, labelLimit: 240,
      symbolStrokeColor: "var(--soft)" },
    view: { stroke: "var(--line)" },
  });
  const tooltip = { theme: "custom", disableDefaultStyle: true, offsetX: 12, offsetY: 12 };
  const options = () => ({
    actions: false, ast: true, renderer: "svg", defaultStyle: false, tooltip, config: config(),
  });
  const shown = {};

  async function draw(id, spec) {
    const place = at(`chart-${id}`);
    if (shown[id]) shown[id].finalize();
    const [role, label] = ["role", "aria-label"].map((name) => place.getAttribute(name));
    shown[id] = await vegaEmbed(place, spec, options());
    // Where keys do something, the chart's place goes on saying so.
    if (role === "application") {
      place.setAttribute("role", role);
      place.setAttribute("aria-label", label);
    }
    shown[id].view.addResizeListener(() => setTimeout(mark, 50));
  }

  // ---- Features: a variant's numbers, unpacked when they are first asked for.

  const state = { variant: 0, feature: null, page: 0, query: "", sort: ["share", -1] };
  const ROWS = 25;
  const unpacked = new Map();

  function variant(index) {
    if (!unpacked.has(index)) {
      const packed = study.variants[index];
      const bounds = new Map(packed.intervals.map(([count, ...rest]) => [count, rest]));
      const counts = packed.counts.flatMap(([count, n]) => Array(n).fill(count));
      const rows = packed.features.map((f, i) => {
        const [share, low, high] = bounds.get(counts[i]);
        return { f, feature: study.names[f], chosen: counts[i], runs: packed.runs, share, low, high };
      });
      unpacked.set(index, { ...packed, rows, of: new Map(rows.map((row) => [row.f, row])) });
    }
    return unpacked.get(index);
  }

  const first = (index) => variant(index).rows.slice(0, variant(index).raster.rows.length);

  function cells(index) {
    const { first: starts, last: ends, rows } = variant(index).raster;
    return first(index).flatMap((row, r) => starts.map((start, b) => {
      const share = rows[r][b] / (ends[b] - start + 1);
      return { f: row.f, feature: row.feature, frequency: row.share, share,
        left: start - 0.5, right: ends[b] + 0.5, chosen: share > 0 ? "yes" : "no",
        run: start === ends[b] ? `${start}` : `${start} to ${ends[b]}` };
    }));
  }

  async function drawFeatures() {
    const now = variant(state.variant);
    const { first: starts, last: ends, rows } = now.raster;
    const single = starts.every((start, b) => start === ends[b]);
    const height = 17 * Math.max(1, rows.length);
    const raster = { ...study.specs[single ? "raster" : "raster-blocks"], height,
      data: { values: cells(state.variant) } };
    raster.encoding = { ...raster.encoding };
    raster.encoding.x = { ...raster.encoding.x,
      scale: { ...raster.encoding.x.scale, domain: [0.5, now.runs + 0.5] } };
    at("blocks").textContent = single ? "" : " A column stands for several runs, the darker the more.";
    const bars = { ...study.specs.bars, height, data: { values: first(state.variant) } };
    await Promise.all([draw("raster", raster), draw("bars", bars)]);
    mark();
  }

  function mark() {
    for (const chart of document.querySelectorAll('.chart[data-kind="features"]')) {
      const name = study.names[state.feature];
      for (const node of chart.querySelectorAll("svg path, svg text")) {
        const datum = node.__data__ && node.__data__.datum;
        const label = node.parentNode.classList.contains("role-axis-label");
        const is = datum && state.feature !== null && (label
          ? datum.value === name
          : datum.f === state.feature && !(datum.share === 0));
        node.classList.toggle("picked", Boolean(is));
      }
    }
    for (const button of document.querySelectorAll("button.feature")) {
      const is = Number(button.dataset.f) === state.feature;
      button.setAttribute("aria-pressed", is);
      button.closest("tr").classList.toggle("picked",
        Boolean(button.closest("tr").querySelector(`button[data-f="${state.feature}"]`)));
    }
  }

  function pick(feature) {
    state.feature = feature === state.feature ? null : feature;
    at("picked").hidden = state.feature === null;
    if (state.feature === null) say("No feature is marked.");
    else tellPicked();
    mark();
  }

  function tellPicked() {
    const now = variant(state.variant);
    const row = now.of.get(state.feature);
    const name = study.names[state.feature];
    const said = row
      ? `${now.name}: chosen in ${row.chosen} of ${counted(row.runs, "run")}, ${percent(row.share)} ` +
        `(${percent(row.low)} to ${percent(row.high)}).`
      : `${now.name}: never chosen in ${counted(now.runs, "run")}.`;
    at("picked-name").textContent = name;
    at("picked-said").textContent = said;
    at("picked-everywhere").replaceChildren(...study.variants.map((_, index) => {
      const share = variant(index).of.get(state.feature)?.share ?? 0;
      const line = made("div", undefined, { className: "share" });
      const bar = made("span");
      const inner = made("i");
      inner.style.width = `${100 * share}%`;
      bar.append(inner);
      line.append(made("span", variant(index).name), bar, made("span", percent(share)));
      return line;
    }));
    say(`${name} is marked. ${said}`);
  }

  function button(f) {
    const made_ = made("button", study.names[f], { type: "button", className: "feature" });
    made_.dataset.f = f;
    return made_;
  }

  function cell(value, shownAs) {
    const td = made("td", shownAs, { className: "number" });
    td.dataset.v = value;
    return td;
  }

  function headed(f) {
    const th = made("th", undefined, { scope: "row" });
    th.append(button(f));
    return th;
  }

  function matching() {
    const [key, sign] = state.sort;
    const wanted = state.query.trim().toLowerCase();
    const rows = variant(state.variant).rows
      .filter((row) => row.feature.toLowerCase().includes(wanted));
    const compare = key === "feature"
      ? (a, b) => sign * a.feature.localeCompare(b.feature)
      : (a, b) => sign * (a[key] - b[key]);
    return key === "share" && sign === -1 ? rows : rows.sort(compare);
  }

  function listFeatures() {
    const rows = matching();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS));
    state.page = Math.min(state.page, pages - 1);
    const body = at("frequencies").tBodies[0];
    body.replaceChildren(...rows.slice(state.page * ROWS, (state.page + 1) * ROWS).map((row) => {
      const tr = made("tr");
      tr.append(headed(row.f), cell(row.chosen, row.chosen),
        ...[row.share, row.low, row.high].map((value) => cell(value, value.toFixed(3))));
      return tr;
    }));
    at("back").disabled = state.page === 0;
    at("on").disabled = state.page >= pages - 1;
    at("page-said").textContent =
      `${counted(rows.length, "feature")} ever chosen; page ${state.page + 1} of ${pages}`;
    mark();
  }

  function listPairs() {
    const { pairs } = variant(state.variant);
    const place = at("standins");
    if (!pairs.length) {
      place.replaceChildren(made("p",
        "No features stand in for each other more often than chance would have it."));
      return;
    }
    const table = made("table", undefined, { className: "sortable" });
    table.append(made("caption", "Stand-ins: runs choose one or the other, more than chance would " +
      "have it (Fisher's exact test, Bonferroni), among the most often chosen features that come " +
      "and go"));
    const heads = made("tr");
    for (const name of ["feature", "stand-in", "one or both", "both", "p"]) {
      const th = made("th", undefined, { scope: "col" });
      th.setAttribute("aria-sort", "none");
      th.className = heads.cells.length > 1 ? "number" : "";
      th.append(made("button", name, { type: "button" }));
      heads.append(th);
    }
    table.createTHead().append(heads);
    const body = table.createTBody();
    for (const [f, g, either, both, p] of pairs) {
      const tr = made("tr");
      const other = made("td");
      other.append(button(g));
      tr.append(headed(f), other, cell(either, either), cell(both, both), cell(p, p.toExponential(1)));
      body.append(tr);
    }
    const wide = made("div", undefined, { className: "wide", tabIndex: 0 });
    wide.setAttribute("role", "region");
    wide.setAttribute("aria-label", "Stand-ins");
    wide.append(table);
    place.replaceChildren(wide);
  }

  async function choose(index) {
    state.variant = index;
    state.page = 0;
    at("variant").value = String(index);
    listFeatures();
    listPairs();
    if (state.feature !== null) tellPicked();
    await drawFeatures();
  }

  // ---- Sorting, by the buttons in the heads of tables.

  const FREQUENCIES = ["feature", "chosen", "share", "low", "high"];

  function sortBy(head) {
    const row = head.parentNode;
    const table = head.closest("table");
    const column = [...row.cells].indexOf(head);
    const before = head.getAttribute("aria-sort");
    const number = head.classList.contains("number") ||
      Boolean(table.querySelector(`tbody tr > :nth-child(${column + 1})[data-v]`));
    const down = before === "none" ? number : before === "ascending";
    for (const cell of row.cells) cell.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    if (table.id === "frequencies" && study.variants.length) {
      state.sort = [FREQUENCIES[column], down ? -1 : 1];
      listFeatures();
    } else {
      sortRows(table, column, number, down ? -1 : 1);
    }
    say(`Sorted by ${head.textContent}, ${down ? "descending" : "ascending"}.`);
  }

  function sortRows(table, column, number, sign) {
    const body = table.tBodies[0];
    const value = (tr) => {
      const { dataset, textContent } = tr.cells[column];
      if (!number) return textContent;
      return dataset.v === "" || dataset.v === undefined ? null : Number(dataset.v);
    };
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (number ? x - y : x.localeCompare(y));
    };
    body.append(...[...body.rows].sort(order));
  }

  // ---- What people do.

  function datumOf(target) {
    const item = target.__data__;
    if (!item || !item.datum) return null;
    const { datum } = item;
    if (target.parentNode.classList?.contains("role-axis-label")) {
      const row = first(state.variant).find((one) => one.feature === datum.value);
      return row || null;
    }
    return datum;
  }

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.("button");
    if (pressed?.classList.contains("feature")) pick(Number(pressed.dataset.f));
    else if (pressed?.closest("thead")) sortBy(pressed.closest("th"));
    const chart = event.target.closest?.(".chart[data-kind]");
    if (!chart) return;
    const datum = datumOf(event.target);
    if (chart.dataset.kind === "features" && datum?.f !== undefined) pick(datum.f);
    if (chart.dataset.kind === "variants" && datum?.variant !== undefined) {
      const index = study.variants.findIndex((one) => one.name === datum.variant.replaceAll("\u200b", ""));
      if (index >= 0) {
        choose(index);
        say(`${study.variants[index].name} is shown below, under Features.`);
      }
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.feature !== null) pick(state.feature);
    if (!event.target.matches?.('.chart[data-kind="features"]')) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const rows = first(state.variant);
    const place = rows.findIndex((row) => row.f === state.feature);
    const next = place < 0 ? (step > 0 ? 0 : rows.length - 1)
      : Math.min(rows.length - 1, Math.max(0, place + step));
    if (rows[next] && rows[next].f !== state.feature) pick(rows[next].f);
  });

  if (study.variants.length) {
    at("variant").addEventListener("change", (event) => choose(Number(event.target.value)));
    at("filter").addEventListener("input", (event) => {
      state.query = event.target.value;
      state.page = 0;
      listFeatures();
    });
    at("back").addEventListener("click", () => { state.page -= 1; listFeatures(); });
    at("on").addEventListener("click", () => { state.page += 1; listFeatures(); });
    at("let-go").addEventListener("click", () => pick(state.feature));
  }

  // What is folded is not printed.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const one of unfolded) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of unfolded) one.open = false; });

  async function begin() {
    const features = new Set(["raster", "raster-blocks", "bars"]);
    const names = Object.keys(study.specs).filter((name) => !features.has(name));
    await Promise.all(names.map((name) => draw(name, study.specs[name])));
    if (study.variants.length) await choose(0);
    root.dataset.drawn = "yes";
  }
  begin();
})();
