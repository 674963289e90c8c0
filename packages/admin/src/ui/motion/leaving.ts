/** Where children of a list were, with all that it takes to show one that is gone as it was. */
export interface Places {
  readonly list: HTMLElement
  readonly box: DOMRect
  readonly children: ReadonlyMap<HTMLElement, Place>
}

interface Place {
  readonly box: DOMRect
  /** Of the cells of a row in columns, which keep these outside of their table. */
  readonly cellWidthsPx: readonly number[]
}

const TIMING = { duration: 160, easing: 'ease-out' } as const
/** Beyond that nobody sees what went where. */
const MOST_CHILDREN = 200

/** Whether the person wants things to move, and sees it: animations of a hidden page may never end. */
const wantsMotion = () => !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** Looks where the children are, before some go or change places; undefined where nothing is to move. */
export function placesIn(list: HTMLElement): Places | undefined {
  if (list.childElementCount > MOST_CHILDREN || !wantsMotion()) return undefined
  const children = new Map<HTMLElement, Place>()
  for (const child of childrenOf(list)) {
    const cells = isInColumns(child) ? [...child.cells] : []
    const cellWidthsPx = cells.map((cell) => cell.getBoundingClientRect().width)
    children.set(child, { box: child.getBoundingClientRect(), cellWidthsPx })
  }
  return { list, box: list.getBoundingClientRect(), children }
}

/**
 * Lets what has left fade where it was, and what has stayed glide to its new place. The page is as it will be from the
 * first frame: what fades is out of reach for keys, mouse and screen readers, and takes no room.
 */
export function moveFrom({ list, box, children }: Places): void {
  const now = list.getBoundingClientRect()
  const moved = childrenOf(list).flatMap((child) => {
    const before = children.get(child)
    return before === undefined ? [] : [{ child, by: distance(before.box, box, child.getBoundingClientRect(), now) }]
  })
  for (const { child, by } of moved) glide(child, by)
  const gone = [...children].filter(([child]) => !child.isConnected)
  if (gone.length > 0) closeGap(list, box.height - now.height)
  for (const [child, place] of gone) fade(list, child, place)
}

const childrenOf = (list: HTMLElement) =>
  [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset.leaving === undefined,
  )

/** Where windows are narrow, rows are blocks. */
const isInColumns = (child: HTMLElement): child is HTMLTableRowElement =>
  child instanceof HTMLTableRowElement && getComputedStyle(child).display === 'table-row'

interface Distance {
  readonly x: number
  readonly y: number
}

/** How far something has moved within its list, which may have been scrolled meanwhile. */
const distance = (before: DOMRect, listBefore: DOMRect, after: DOMRect, listAfter: DOMRect): Distance => ({
  x: before.x - listBefore.x - (after.x - listAfter.x),
  y: before.y - listBefore.y - (after.y - listAfter.y),
})

function glide(child: HTMLElement, { x, y }: Distance): void {
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return
  child.animate({ transform: [`translate(${x}px, ${y}px)`, 'none'] }, TIMING)
}

/** What is below the list follows; a margin, as height would stretch what is in it. */
function closeGap(list: HTMLElement, heightPx: number): void {
  if (heightPx < 1 || list instanceof HTMLTableSectionElement) return
  const { marginBottom } = getComputedStyle(list)
  list.animate({ marginBottom: [`calc(${marginBottom} + ${heightPx}px)`, marginBottom] }, TIMING)
}

function fade(list: HTMLElement, child: HTMLElement, { box, cellWidthsPx }: Place): void {
  child.inert = true
  child.ariaHidden = 'true'
  child.dataset.leaving = 'true'
  // one that comes back meanwhile has these
  for (const one of [child, ...child.querySelectorAll('[id]')]) one.removeAttribute('id')
  Object.assign(child.style, {
    ...{ position: 'absolute', top: '0', left: '0', margin: '0', boxSizing: 'border-box', pointerEvents: 'none' },
    ...{ width: `${box.width}px`, height: `${box.height}px`, transition: 'none' },
  })
  keepCells(child, cellWidthsPx)
  list.append(child)
  // measured from wherever its block is
  const at = child.getBoundingClientRect()
  const place = `translate(${box.x - at.x}px, ${box.y - at.y}px)`
  const animation = child.animate(
    { transform: [place, `${place} scaleY(0.6)`], opacity: [1, 0], transformOrigin: ['top', 'top'] },
    { ...TIMING, fill: 'forwards' },
  )
  const remove = () => child.remove()
  animation.finished.then(remove, remove)
}

/** A row outside of the layout of its table has its cells where they were. */
function keepCells(child: HTMLElement, widthsPx: readonly number[]): void {
  if (!(child instanceof HTMLTableRowElement) || widthsPx.length === 0) return
  Object.assign(child.style, { display: 'flex', alignItems: 'center' })
  for (const [index, cell] of [...child.cells].entries()) cell.style.flex = `0 0 ${widthsPx[index] ?? 0}px`
}
