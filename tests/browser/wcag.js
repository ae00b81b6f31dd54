// What axe does not measure of WCAG 2.2 (levels A and AA): reflow, the focus, edges of fields, text over gradients and
// in drawings; and, because they take little time, contrast and targets in the widths and themes that axe is spared.
// Says one "criterion: place: what" for each fault. `asked` says which groups of checks are wanted.
(asked) => {
  const faults = new Set();
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";

  const place = (element) => {
    const name = (one) => one.tagName.toLowerCase() + (one.id ? `#${one.id}` : "") +
      (one.getAttribute("class") ? "." + one.getAttribute("class").trim().split(/\s+/).join(".") : "");
    const words = (element.innerText || element.textContent || element.value || "").trim().replace(/\s+/g, " ");
    const parent = element.parentElement && element.parentElement !== document.body ? name(element.parentElement) : "";
    return `${parent} > ${name(element)} “${words.slice(0, 40)}”`;
  };
  const fault = (criterion, element, what) => faults.add(`${criterion}: ${element ? place(element) : "page"}: ${what}`);
  const isShown = (element) =>
    element.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true }) &&
    element.getClientRects().length > 0;
  const isDisabled = (element) =>
    element.matches(":disabled, [aria-disabled=true]") || element.closest("fieldset:disabled") !== null;
  const isFocusable = (element) => element.tabIndex >= 0 && !isDisabled(element) && isShown(element);

  // What is asked of an element again and again while nothing on the page changes.
  const remembered = (find) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, find(element));
      return known.get(element);
    };
  };

  // What an eye cannot see: cut down to a point, or moved out of the page, as words for screen readers are.
  const isCutDown = remembered((one) => {
    if (!one || one === document.documentElement) return false;
    const style = getComputedStyle(one);
    if (style.clipPath.startsWith("inset") || style.clip !== "auto") return true;
    const box = style.overflow !== "visible" && one.getBoundingClientRect();
    return (box && (box.width <= 1 || box.height <= 1)) || isCutDown(one.parentElement);
  });
  const isCutAway = (element) => {
    if (isCutDown(element)) return true;
    const box = element.getBoundingClientRect();
    return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
  };

  // --- colours
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = text;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
      known.set(text, [red, green, blue, alpha / 255]);
    }
    return known.get(text);
  };
  const over = (top, bottom) => {
    const part = top[3];
    return [0, 1, 2].map((n) => top[n] * part + bottom[n] * (1 - part)).concat(1);
  };
  // A letter in a drawing stands on the shape drawn before it, in the same group.
  const shapeBehind = (element) => {
    const shape = element.closest("svg") ? element.previousElementSibling : null;
    if (!shape?.matches("rect, circle, ellipse, polygon")) return [];
    const { fill } = getComputedStyle(shape);
    return fill === "none" || fill.startsWith("url") ? [] : [[rgba(fill)]];
  };
  const lay = (tops, below) => tops.flatMap((top) => below.map((under) => over(top, under)));
  const ground = () => [rgba(matchMedia("(prefers-color-scheme: dark)").matches ? "#000" : "#fff")];
  // The colours that an element stands on with its own: a background of one colour counts, and each of a gradient.
  const filled = remembered((one) => {
    if (!one) return ground();
    const style = getComputedStyle(one);
    const colour = rgba(style.backgroundColor);
    const stops = (style.backgroundImage.match(/(?:rgba?|color|oklab|oklch)\([^()]*\)/g) || []).map(rgba);
    const plain = lay([colour], colour[3] === 1 ? ground() : filled(one.parentElement));
    return stops.length ? lay(stops, plain) : plain;
  });
  const behind = (element) => shapeBehind(element).reduceRight((below, tops) => lay(tops, below), filled(element));
  const light = (colour) => {
    const [red, green, blue] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const opacity = remembered((one) => (one ? Number(getComputedStyle(one).opacity) * opacity(one.parentElement) : 1));
  const worst = (colour, backgrounds) => Math.min(...backgrounds.map((back) => contrast(over(colour, back), back)));

  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!/[\p{L}\p{N}]/u.test(walker.currentNode.data)) continue;
      if (!element.closest("script, style, noscript, template, option")) found.add(element);
    }
    return [...found];
  };
  const checkContrast = () => {
    for (const element of texts()) {
      if (!isShown(element) || isCutAway(element)) continue;
      if (isDisabled(element) || element.closest("label:has(:disabled)")) continue;
      const style = getComputedStyle(element);
      const paint = element.closest("svg") ? style.fill : style.color;
      if (paint === "none") continue;
      const faded = opacity(element);
      if (faded === 0) continue;
      const [red, green, blue, alpha] = rgba(paint);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const got = worst([red, green, blue, alpha * faded], behind(element));
      if (got < least - 0.005) fault("1.4.3 contrast", element, `${got.toFixed(2)} where ${least} is asked`);
    }
    for (const field of all("input, textarea, select").filter(isShown)) {
      if (field.matches("[type=hidden], [type=checkbox], [type=radio], [type=range]")) continue;
      if (isDisabled(field) || isCutAway(field)) continue;
      const backs = behind(field);
      if (field.placeholder) {
        const got = worst(rgba(getComputedStyle(field, "::placeholder").color), backs);
        if (got < 4.495) fault("1.4.3 contrast", field, `placeholder ${got.toFixed(2)}`);
      }
      const edge = getComputedStyle(field);
      if (edge.borderBottomStyle === "none" || parseFloat(edge.borderBottomWidth) === 0) continue;
      const outside = behind(field.parentElement);
      const got = Math.max(worst(rgba(edge.borderBottomColor), outside), worst(backs[0], outside));
      if (got < 2.995) fault("1.4.11 non-text contrast", field, `edge ${got.toFixed(2)} where 3 is asked`);
    }
  };

  // --- targets
  const labelled = (element) =>
    element.matches("[type=checkbox], [type=radio]") && element.labels ? [...element.labels].filter(isShown) : [];
  const area = (element) => {
    const boxes = [element, ...labelled(element)].map((one) => one.getBoundingClientRect());
    return boxes.reduce((best, box) => (box.width * box.height > best.width * best.height ? box : best));
  };
  const isInline = (element) => {
    if (getComputedStyle(element).display !== "inline") return false;
      const around = element.closest("p, li, td, th, dd, dt, label, figcaption, h1, h2, h3, h4, span, b, div");
    for (let one = around; one && one !== document.body; one = one.parentElement) {
      const rest = one.textContent.replace(/\s+/g, "").length - element.textContent.replace(/\s+/g, "").length;
      if (rest > 0 && getComputedStyle(one).display !== "flex") return true;
      if (getComputedStyle(one).display !== "inline") return false;
    }
    return false;
  };
  const checkTargets = () => {
    const isInSight = (one) => !isCutAway(one) || labelled(one).some((label) => !isCutAway(label));
    const targets = all(`${FOCUSABLE}, [role=button], [role=tab]`)

      .filter((one) => isShown(one) && !isDisabled(one) && isInSight(one))
      .filter((one) => !one.matches(".scroll, main, [role=region]"))
      .map((element) => ({ element, box: area(element) }));
    const isSmall = ({ box }) => box.width < 23.95 || box.height < 23.95;
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const isNear = (small, other) => {
      const [x, y] = middle(small.box);
      if (isSmall(other)) {
        const [ox, oy] = middle(other.box);
        if (Math.hypot(x - ox, y - oy) < 23.95) return true;
      }
      const dx = Math.max(other.box.left - x, 0, x - other.box.right);
      const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
      return Math.hypot(dx, dy) < 11.95;
    };
    // What stays in place lies over other things only until the page is scrolled.
    const staying = (one) => one && (getComputedStyle(one).position === "fixed" ? one : staying(one.parentElement));
    for (const target of targets.filter(isSmall)) {
      if (isInline(target.element)) continue;
      const near = targets.find(({ element, box }) =>
        element !== target.element && !element.contains(target.element) && !target.element.contains(element) &&
        box !== target.box && isNear(target, { element, box }) && staying(element) === staying(target.element));
      const size = `${target.box.width.toFixed(0)} × ${target.box.height.toFixed(0)}`;
      if (near) fault("2.5.8 target size", target.element, `${size} px, too near to ${place(near.element)}`);
    }
  };

  // --- fields, and the words that others lend them
  const checkFields = () => {
    for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "for", "headers"])
      for (const element of all(`[${attribute}]`).filter(isShown))
        for (const id of element.getAttribute(attribute).split(/\s+/).filter(Boolean))
          if (!document.getElementById(id)) fault("4.1.2 references", element, `${attribute} names an absent ${id}`);
    for (const field of all("input[type=email], input[type=password], input[name=username]").filter(isShown))
      if (!field.autocomplete) fault("1.3.5 input purpose", field, "no autocomplete");
  };

  // --- scrolling
  const widest = () => {
    const right = (one) => one.getBoundingClientRect().right;
    const isClipped = (one) => one.parentElement.closest(":not(body, html)") && all("*").some((box) =>
      box !== one && box.contains(one) && getComputedStyle(box).overflowX !== "visible" && right(box) <= innerWidth);
    const out = all("body *").filter((one) => isShown(one) && right(one) > document.documentElement.clientWidth + 0.5);
    return out.filter((one) => !isClipped(one)).slice(0, 3).map(place).join(" and ");
  };
  const checkReflow = () => {
    const wide = document.documentElement.scrollWidth;
    if (wide > document.documentElement.clientWidth)
      fault("1.4.10 reflow", null, `${wide} px of ${innerWidth}, ${widest()}`);
    for (const element of all("body *").filter(isShown)) {
      const style = getComputedStyle(element);
      const scrolls = (way, whole, seen) => /auto|scroll/.test(style[way]) && whole > seen + 1;
      const isScroller = scrolls("overflowX", element.scrollWidth, element.clientWidth) ||
        scrolls("overflowY", element.scrollHeight, element.clientHeight);
      if (!isScroller || element.matches("textarea, select") || isCutAway(element)) continue;
      if (!isFocusable(element) && !all(FOCUSABLE, element).some(isFocusable))
        fault("2.1.1 scrollable region", element, "no key scrolls it");
      else if (element.tabIndex >= 0 && !element.matches("[aria-label], [aria-labelledby], table, summary"))
        fault("4.1.2 name", element, "a focusable scroller without a name");
    }
  };

  // --- focus: everything is focused in turn, after a key was pressed, so that :focus-visible holds
  const looks = (element) => {
    const near = [element, element.parentElement, element.closest("label"), ...(element.labels || []),
      element.nextElementSibling, element.closest("tr, li, td, svg"), ...all("*", element).slice(0, 4)];
    return near.filter(Boolean).map((one) => {
      const style = getComputedStyle(one);
      const of = [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor,
        style.backgroundColor, style.textDecorationLine, style.stroke, style.strokeWidth, style.r];
      return of.join("|");
    }).join("/");
  };
  const checkFocus = () => {
    const kept = [scrollX, scrollY];
    const seen = new Set();
    for (const element of all(FOCUSABLE).filter(isFocusable)) {

      const around = element.parentElement.className;
      const kind = [element.tagName, element.getAttribute("class"), element.type, around].join(".");
      if (seen.has(kind)) continue;
      seen.add(kind);
      document.activeElement?.blur();
      const before = looks(element);
      element.focus();
      if (document.activeElement !== element) continue;
      if (looks(element) === before) fault("2.4.7 focus visible", element, "looks the same with the focus");
      const boxes = [element, ...(element.labels || [])].map((one) => one.getBoundingClientRect());
      const own = [element, ...(element.labels || []), element.closest("label")].filter(Boolean);
      const isSeen = boxes.some((box) => [0.1, 0.5, 0.9].some((right) => [0.15, 0.5, 0.85].some((down) => {
        const there = document.elementFromPoint(box.x + box.width * right, box.y + box.height * down);
        return there && (element.ownerSVGElement?.contains(there) ||
          own.some((one) => one.contains(there) || there.contains(one)));
      })));
      if (!isSeen) fault("2.4.11 focus not obscured", element, "something lies over it");
    }
    document.activeElement?.blur();
    scrollTo(...kept);
  };

  // A card without anything in it is no criterion, but it is never meant.
  const checkCards = () => {
    for (const card of all("section, article, aside, fieldset, .sec, .game").filter(isShown)) {
      const isEmpty = !card.innerText.trim() && !card.querySelector("svg, img, input, button, select, textarea");
      if (isEmpty && card.getBoundingClientRect().height > 0) fault("empty card", card, "nothing is in it");
    }
  };

  const groups = { cards: checkCards, contrast: checkContrast, targets: checkTargets, fields: checkFields,
    reflow: checkReflow, focus: checkFocus };
  document.activeElement?.blur(); // the skip link shows itself while it has the focus
  for (const group of asked) groups[group]();
  return [...faults];
}
