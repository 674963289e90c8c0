import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { type DragEvent, type HTMLAttributes, useState } from 'react'
import { STRATEGY_FORMAT } from '../use-strategy-order.ts'

/** Strategy that is being dragged, with its source environment. */
export interface DraggedStrategy {
  readonly environment: string
  readonly strategy: AdminStrategy
}

type TargetProperties = HTMLAttributes<HTMLElement> & { readonly 'data-takes'?: 'here' | 'there' }

/**
 * Returns the properties that make an environment a drop target; empty if nothing is dragged. A drop target is
 * highlighted, and `drop` receives the dropped strategy.
 */
export function useCopyTarget(
  dragged: DraggedStrategy | undefined,
  drop: (strategy: AdminStrategy) => void,
): TargetProperties {
  const [isOver, setOver] = useState(false)
  if (dragged === undefined) return {}
  return {
    'data-takes': isOver ? 'here' : 'there',
    onDragOver: (event) => {
      if (!isStrategyDrag(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event) => {
      setOver(false)
      if (!isStrategyDrag(event)) return
      event.preventDefault()
      drop(dragged.strategy)
    },
  }
}

/**
 * Returns true if the drag event is about a strategy. Checks the drag's data, because if a `dragend` event was missed,
 * the current drag may be about something else.
 */
const isStrategyDrag = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.some((type) => type.startsWith(STRATEGY_FORMAT))
