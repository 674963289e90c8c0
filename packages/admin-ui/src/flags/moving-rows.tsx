// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
// biome-ignore-all lint/a11y/useFocusableInteractive: only the controls inside the rows are interactive
import { Component, createRef, type ReactNode } from 'react'
import { animateFrom, type ListPositions, measurePositions } from '../ui/motion/exit-animation.ts'
import { findRowFocus, type RowFocus, restoreRowFocus } from './row-shortcuts.ts'
import type { FlagRows } from './use-flag-rows.ts'

interface Props {
  readonly rows: FlagRows
  /** Rendered rows. */
  readonly items: readonly { readonly index: number }[]
  readonly className: string | undefined
  readonly heightPx: number
  readonly children: ReactNode
}

interface Snapshot {
  readonly places: ListPositions | undefined
  readonly focus: RowFocus | undefined
}

/**
 * Visible rows, animated when their flags disappear or move. Scrolling, sorting and filtering are not animated. This is
 * a class component, because only class components can act just before an update is rendered.
 */
export class MovingRows extends Component<Props> {
  readonly #list = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(before: Props): Snapshot | null {
    const list = this.#list.current
    if (list === null || !haveMoved(before, this.props.rows)) return null
    return { places: measurePositions(list), focus: findRowFocus(list) }
  }

  override componentDidUpdate(_props: Props, _state: unknown, before: Snapshot | null): void {
    const list = this.#list.current
    if (list === null || before === null) return
    if (before.focus !== undefined) restoreRowFocus(list, before.focus)
    if (before.places !== undefined) animateFrom(before.places)
  }

  override render() {
    const { className, heightPx, children } = this.props
    return (
      <div role="rowgroup" className={className} style={{ height: heightPx }} ref={this.#list}>
        {children}
      </div>
    )
  }
}

/**
 * Returns true if flags with a rendered row have disappeared or moved up, judging by the loaded rows. Returns false if
 * a different list is shown now.
 */
function haveMoved({ rows: before, items }: Props, now: FlagRows): boolean {
  return items.some(({ index }) => {
    const flag = before.row(index)
    // Flags that are no longer loaded have been scrolled out of view.
    const isLoaded = index >= (now.total ?? 0) || now.row(index) !== undefined
    if (flag === undefined || !isLoaded || now.row(index)?.name === flag.name) return false
    const place = now.indexOf(flag.name)
    return place === undefined || place < index
  })
}
