import { Children, Component, createElement, createRef, type HTMLAttributes, isValidElement } from 'react'
import { animateFrom, type ListPositions, measurePositions } from './exit-animation.ts'

interface Props extends HTMLAttributes<HTMLElement> {
  readonly as: 'div' | 'ol' | 'ul' | 'tbody'
}

/**
 * List whose children, each with a key, are animated when they are removed or moved (docs/design.md, Motion). This is a
 * class component, because only class components can act just before an update is rendered.
 */
export class MovingList extends Component<Props> {
  readonly #list = createRef<HTMLElement>()

  override getSnapshotBeforeUpdate(before: Props): ListPositions | null {
    const list = this.#list.current
    if (list === null || !haveMoved(listKeys(before), listKeys(this.props))) return null
    return measurePositions(list) ?? null
  }

  override componentDidUpdate(_props: Props, _state: unknown, places: ListPositions | null): void {
    if (places !== null) animateFrom(places)
  }

  override render() {
    const { as, ...rest } = this.props
    return createElement(as, { ...rest, ref: this.#list })
  }
}

const listKeys = ({ children }: Props): string[] =>
  Children.toArray(children).map((child) => (isValidElement(child) ? String(child.key) : ''))

/** Returns true if a child was removed or moved. The animation of added children is defined elsewhere. */
const haveMoved = (before: readonly string[], now: readonly string[]): boolean => {
  const stay = now.filter((key) => before.includes(key))
  return stay.length < before.length || stay.some((key, index) => key !== before[index])
}
