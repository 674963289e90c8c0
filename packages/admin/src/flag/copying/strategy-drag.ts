import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { type DragEvent, type HTMLAttributes, useState } from 'react'
import { STRATEGY_FORMAT } from '../use-strategy-order.ts'

/** A strategy that is being dragged, and the environment that it is of. */
export interface DraggedStrategy {
  readonly environment: string
  readonly strategy: AdminStrategy
}

type TargetProperties = HTMLAttributes<HTMLElement> & { readonly 'data-takes'?: 'here' | 'there' }

/**
 * Properties of an environment that takes what is dragged, nothing where that is undefined: it shows that it does, and
 * `drop` gets the strategy.
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
      if (!isOfStrategy(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event) => {
      setOver(false)
      if (!isOfStrategy(event)) return
      event.preventDefault()
      drop(dragged.strategy)
    },
  }
}

/** Where the end of a drag went unheard, what comes next may be anything. */
const isOfStrategy = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.some((type) => type.startsWith(STRATEGY_FORMAT))
