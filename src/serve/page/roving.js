// Keyboard focus on a board: one cell is focusable at a time (roving tabindex); arrow keys move it.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Roving {
  #cells = [];
  #columns = 0;

  constructor(board) {
    board.addEventListener("keydown", (event) => this.#arrow(event));
    board.addEventListener("focusin", (event) => this.#rove(event.target));
  }

  /** Sets the cells, by rows as displayed. */
  set(cells, columns) {
    this.#cells = cells;
    this.#columns = columns;
    for (const cell of cells) cell.tabIndex = -1;
    if (cells.length) cells[0].tabIndex = 0;
  }

  #rove(target) {
    if (!this.#cells.includes(target)) return;
    for (const cell of this.#cells) cell.tabIndex = cell === target ? 0 : -1;
  }

  #arrow(event) {
    const step = STEPS[event.key];
    const from = this.#cells.indexOf(event.target);
    if (!step || from < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const column = (from % this.#columns) + step[1];
    if (column < 0 || column >= this.#columns) return;
    this.#cells[from + step[0] * this.#columns + step[1]]?.focus();
  }
}
