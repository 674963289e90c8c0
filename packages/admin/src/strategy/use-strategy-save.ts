import type { AdminStrategy, StrategyInput } from '@burgee/protocol/admin'
import type { Event } from '@burgee/protocol/event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flagEvents } from '../api/events.ts'
import type { FlagPlace } from '../api/flags.ts'
import { ApiError, type Tagged } from '../api/http.ts'
import * as api from '../api/strategies.ts'
import { differences } from '../events/diff.ts'
import { draftOf, inputOf } from './draft.ts'

const CHANGED = 412
const RECENT = 50

/** Somebody else's change, which came between. */
export interface Collision {
  readonly theirs: AdminStrategy
  /** Who changed it, and when; undefined where the history does not say. */
  readonly event: Event | undefined
}

/**
 * Saves a strategy, but never over somebody else's change unseen: when it is not in the state any more in which the
 * editor got it, `collision` says what it is now and who changed it, and nothing is saved. After that, saving again
 * replaces what was shown then, and `take` begins anew from it.
 */
export function useStrategySave(place: FlagPlace, opened: Tagged<AdminStrategy> | undefined, done: () => void) {
  const queries = useQueryClient()
  const [base, setBase] = useState(opened)
  const [collision, setCollision] = useState<Collision>()
  const replace = async (body: StrategyInput, from: Tagged<AdminStrategy>): Promise<Collision | undefined> => {
    const ref = { ...place, id: from.value.id }
    try {
      await api.replaceStrategy(ref, { ...body, sortOrder: from.value.sortOrder }, from.etag)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== CHANGED) throw error
      const now = await api.strategy(ref)
      setBase(now)
      // another place in the list is no other strategy
      if (isSame(from.value, now.value)) return replace(body, now)
      return { theirs: now.value, event: await lastChange(place.feature, from.value.id) }
    }
  }
  const save = useMutation({
    mutationFn: async (body: StrategyInput): Promise<Collision | undefined> => {
      if (base !== undefined) return replace(body, base)
      await api.addStrategy(place, body)
      return undefined
    },
    onSuccess: async (found) => {
      setCollision(found)
      await queries.invalidateQueries({ queryKey: ['flag', place.project, place.feature] })
      void queries.invalidateQueries({ queryKey: ['events'] })
      if (found === undefined) done()
    },
  })
  return { save, collision, take: () => setCollision(undefined) }
}

const isSame = (a: AdminStrategy, b: AdminStrategy): boolean =>
  differences(inputOf(draftOf(a)), inputOf(draftOf(b))).length === 0

/** The newest event about a strategy of a flag. */
async function lastChange(feature: string, id: string): Promise<Event | undefined> {
  const { events } = await flagEvents(feature, 0, RECENT)
  return events.find(
    ({ type, data, preData }) =>
      type === 'feature-strategy-update' &&
      [data, preData].some((state) => (state as { id?: unknown } | null)?.id === id),
  )
}
