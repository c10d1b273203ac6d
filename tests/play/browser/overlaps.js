// Returns a line for each two boxes of the page that intersect, and for each box that cuts its text.
// A box is as large as all that is shown of it, such as a table wider than its column.
() => {
  const problems = [], SLACK = 1.5; // pixels
  const name = (element) => [element.tagName.toLowerCase(), ...element.classList].join(".");
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
    && getComputedStyle(element).clipPath === "none"; // else it is for screen readers only
  const flows = (element) => !["absolute", "fixed"].includes(getComputedStyle(element).position);
  const meet = (one, other) => ({
    left: Math.max(one.left, other.left), right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom),
  });
  const join = (one, other) => ({
    left: Math.min(one.left, other.left), right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top), bottom: Math.max(one.bottom, other.bottom),
  });

  /** Return the box of an element and all in it, or null; compare the children with each other. */
  function measure(element) {
    if (!isShown(element)) return null;
    const own = element.getBoundingClientRect();
    if (element instanceof SVGElement) return own;
    let whole = own.width && own.height ? own : null;
    const boxes = [];
    for (const child of element.children) {
      const box = measure(child);
      if (!box || !flows(child)) continue;
      whole = whole ? join(whole, box) : box;
      // The lines of a paragraph lie closer together than the boxes of its words.
      if (getComputedStyle(child).display !== "inline") boxes.push([child, box]);
    }
    // The seats of a table are turned, and their names lie on its centre.
    if (!element.matches(".board, .seat")) compare(element, boxes);
    const { overflowX, overflowY } = getComputedStyle(element);
    if (overflowX === "visible" || element.matches("input, select")) return whole;
    if ((overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
        || (overflowY === "hidden" && element.scrollHeight > element.clientHeight + 1)) {
      problems.push(`${name(element)} cuts its text`);
    }
    return whole && meet(whole, own);
  }

  function compare(parent, boxes) {
    boxes.forEach(([one, box], at) => {
      for (const [other, its] of boxes.slice(at + 1)) {
        const both = meet(box, its);
        const [x, y] = [both.right - both.left, both.bottom - both.top];
        if (x > SLACK && y > SLACK) {
          problems.push(`${name(one)} lies on ${name(other)} by ${Math.round(x)} x ${Math.round(y)} px in ${name(parent)}`);
        }
      }
    });
  }

  measure(document.body);
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide) problems.push(`the page is ${wide} px wider than the screen`);
  return problems;
}
