/** Positions of a list's children, and the data for rendering removed ones. */
export interface ListPositions {
  readonly list: HTMLElement
  readonly box: DOMRect
  readonly children: ReadonlyMap<HTMLElement, ChildPosition>
}

interface ChildPosition {
  readonly box: DOMRect
  /** Widths of the cells of a table row. A row loses these widths when it is moved out of its table. */
  readonly cellWidthsPx: readonly number[]
}

const TIMING = { duration: 160, easing: 'ease-out' } as const
/** Maximum number of children that are animated. Users could not follow the movement of more. */
const MAX_CHILDREN = 200

/** Returns true if the user allows motion and the page is visible. Animations of hidden pages may never end. */
const allowsMotion = () => !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** Measures the children before a change; undefined if motion is off or there are too many children. */
export function measurePositions(list: HTMLElement): ListPositions | undefined {
  if (list.childElementCount > MAX_CHILDREN || !allowsMotion()) return undefined
  const children = new Map<HTMLElement, ChildPosition>()
  for (const child of listChildren(list)) {
    const cells = isInColumns(child) ? [...child.cells] : []
    const cellWidthsPx = cells.map((cell) => cell.getBoundingClientRect().width)
    children.set(child, { box: child.getBoundingClientRect(), cellWidthsPx })
  }
  return { list, box: list.getBoundingClientRect(), children }
}

/**
 * Fades out removed children in place, and moves all others to their new positions. The page has its final layout from
 * the first frame on: children that fade out take up no space and cannot be reached by keyboard, mouse or screen
 * readers.
 */
export function animateFrom({ list, box, children }: ListPositions): void {
  const now = list.getBoundingClientRect()
  const moved = listChildren(list).flatMap((child) => {
    const before = children.get(child)
    return before === undefined ? [] : [{ child, by: getDistance(before.box, box, child.getBoundingClientRect(), now) }]
  })
  for (const { child, by } of moved) animateMove(child, by)
  const gone = [...children].filter(([child]) => !child.isConnected)
  if (gone.length > 0) animateGap(list, box.height - now.height)
  for (const [child, place] of gone) fadeOut(list, child, place)
}

const listChildren = (list: HTMLElement) =>
  [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset.leaving === undefined,
  )

/** Returns true if a table row is laid out in columns. In narrow windows, rows are blocks. */
const isInColumns = (child: HTMLElement): child is HTMLTableRowElement =>
  child instanceof HTMLTableRowElement && getComputedStyle(child).display === 'table-row'

interface Distance {
  readonly x: number
  readonly y: number
}

/** Returns the distance that a child has moved within the list, excluding any scrolling of the list in the meantime. */
const getDistance = (before: DOMRect, listBefore: DOMRect, after: DOMRect, listAfter: DOMRect): Distance => ({
  x: before.x - listBefore.x - (after.x - listAfter.x),
  y: before.y - listBefore.y - (after.y - listAfter.y),
})

function animateMove(child: HTMLElement, { x, y }: Distance): void {
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return
  child.animate({ transform: [`translate(${x}px, ${y}px)`, 'none'] }, TIMING)
}

/**
 * Moves the content that follows the list. Animates a margin, because animating the height would stretch the children.
 */
function animateGap(list: HTMLElement, heightPx: number): void {
  if (heightPx < 1 || list instanceof HTMLTableSectionElement) return
  const { marginBottom } = getComputedStyle(list)
  list.animate({ marginBottom: [`calc(${marginBottom} + ${heightPx}px)`, marginBottom] }, TIMING)
}

function fadeOut(list: HTMLElement, child: HTMLElement, { box, cellWidthsPx }: ChildPosition): void {
  child.inert = true
  child.ariaHidden = 'true'
  child.dataset.leaving = 'true'
  // The ids must be free again for a child that is added back.
  for (const one of [child, ...child.querySelectorAll('[id]')]) one.removeAttribute('id')
  Object.assign(child.style, {
    position: 'absolute',
    top: '0',
    left: '0',
    margin: '0',
    boxSizing: 'border-box',
    pointerEvents: 'none',
    width: `${box.width}px`,
    height: `${box.height}px`,
    transition: 'none',
  })
  fixCellWidths(child, cellWidthsPx)
  list.append(child)
  // Measure the offset, because any ancestor could be the containing block.
  const at = child.getBoundingClientRect()
  const place = `translate(${box.x - at.x}px, ${box.y - at.y}px)`
  const animation = child.animate(
    { transform: [place, `${place} scaleY(0.6)`], opacity: [1, 0], transformOrigin: ['top', 'top'] },
    { ...TIMING, fill: 'forwards' },
  )
  const remove = () => child.remove()
  animation.finished.then(remove, remove)
}

/** Sets the widths of a row's cells, because the table does not lay out a row that leaves. */
function fixCellWidths(child: HTMLElement, widthsPx: readonly number[]): void {
  if (!(child instanceof HTMLTableRowElement) || widthsPx.length === 0) return
  Object.assign(child.style, { display: 'flex', alignItems: 'center' })
  for (const [index, cell] of [...child.cells].entries()) cell.style.flex = `0 0 ${widthsPx[index] ?? 0}px`
}
