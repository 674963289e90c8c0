import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type HTMLAttributes, useState } from 'react'
import type { FlagEnvironment } from '../api/flags.ts'
import { sortStrategies } from '../api/strategies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useGuardCheck } from '../proposals/guard.ts'
import { usePropose } from '../proposals/use-propose.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Prefix of the drag-and-drop format of strategies. The suffix differs for each environment, so that cards can only be
 * dropped in their own environment.
 */
export const STRATEGY_FORMAT = 'application/x-burgee-strategy'

/**
 * Returns the order of a flag's strategies in an environment, and functions that change the order. `move` moves a
 * strategy by some positions; `drag` contains the properties of cards and handles. The new order appears immediately;
 * if the server rejects it, it is rolled back with a message. `announcement` is read by screen readers.
 */
export function useStrategyOrder(place: FlagEnvironment, strategies: readonly AdminStrategy[]) {
  const t = useTexts(FLAG_TEXTS)
  const { order: words } = useCatalogue(FLAG_TEXTS)
  const refetch = useRefetch()
  const [announcement, setAnnouncement] = useState('')
  const isGuarded = useGuardCheck()
  const propose = usePropose()
  const sort = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      if (!(await isGuarded(place))) return sortStrategies(place, ids)
      const payload = ids.map((id, sortOrder) => ({ id, sortOrder }))
      await propose(place, [{ feature: place.feature, action: 'reorderStrategy', payload }])
    },
    onError: (error) => showFailure(t, t.flag.moveUp, error),
    onSettled: () => {
      void refetch(['events'])
      return refetch(['flag', place.project, place.feature])
    },
  })
  const wanted = sort.isPending ? sort.variables : undefined
  const sorted = [...strategies].sort(
    wanted === undefined ? (a, b) => a.sortOrder - b.sortOrder : (a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id),
  )
  const move = (from: number, to: number): void => {
    const ids = sorted.map(({ id }) => id)
    const [id] = ids.splice(from, 1)
    if (id === undefined || from === to || sort.isPending) return
    setAnnouncement(words.moved(to + 1, sorted.length))
    sort.mutate(ids.toSpliced(to, 0, id))
  }
  return { sorted, move, announcement, drag: useDrag(place, move) }
}

type Source = HTMLAttributes<HTMLElement> & { readonly draggable: true }

/**
 * Returns the properties of drag sources, which report to `onDrag`, and of drop targets. Cards do not accept cards from
 * other environments.
 */
function useDrag({ environment }: FlagEnvironment, move: (from: number, to: number) => void) {
  const format = `${STRATEGY_FORMAT}+${Array.from(environment, (one) => one.charCodeAt(0).toString(16)).join('')}`
  const [over, setOver] = useState<number>()
  const takes = (event: DragEvent): boolean => event.dataTransfer.types.includes(format)
  const source = (index: number, onDrag: (isDragged: boolean) => void): Source => ({
    draggable: true,
    onDragStart: (event) => {
      onDrag(true)
      event.dataTransfer.setData(format, String(index))
      event.dataTransfer.effectAllowed = 'copyMove'
      const card = event.currentTarget.closest('li')
      if (card !== null) event.dataTransfer.setDragImage(card, 20, 20)
    },
    onDragEnd: () => {
      onDrag(false)
      setOver(undefined)
    },
  })
  const target = (index: number): HTMLAttributes<HTMLElement> & { 'data-over'?: true | undefined } => ({
    'data-over': over === index || undefined,
    onDragOver: (event) => {
      if (!takes(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(index)
    },
    onDragLeave: () => setOver(undefined),
    onDrop: (event) => {
      if (!takes(event)) return
      event.preventDefault()
      setOver(undefined)
      move(Number(event.dataTransfer.getData(format)), index)
    },
  })
  return { source, target }
}
