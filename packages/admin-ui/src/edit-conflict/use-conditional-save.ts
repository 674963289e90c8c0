import type { Event } from '@burgee/protocol/event'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, type WithEtag } from '../api/http.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { findDifferences } from '../diff/diff.ts'

const PRECONDITION_FAILED = 412

/** Concurrent change by another user. */
export interface EditConflict<T> {
  readonly theirs: T
  /** Event that recorded the change, with author and time; undefined if the event log has no such event. */
  readonly event: Event | undefined
}

/** Functions that save resources of one kind. `Body` is the request body. */
export interface SaveOptions<T, Body> {
  /** Resource and ETag that the editor started with; undefined for a new resource. */
  readonly opened: WithEtag<T> | undefined
  readonly create: (body: Body) => Promise<unknown>
  /** Replaces the resource if it still matches `ifMatch`; otherwise rejects with ApiError 412. */
  readonly replace: (from: T, body: Body, ifMatch: string | undefined) => Promise<unknown>
  /** Reads the current version of the resource. */
  readonly read: (from: T) => Promise<WithEtag<T>>
  /**
   * Extracts the part of a resource that the editor can change. If this part is unchanged, the whole resource counts as
   * unchanged.
   */
  readonly bodyOf: (from: T) => Body
  readonly lastChange: (from: T) => Promise<Event | undefined>
  /** Keys of other queries whose results a save affects. */
  readonly changes: readonly (readonly unknown[])[]
  readonly done: (body: Body) => void
  /** Fills the editor with the version that the other user has saved. */
  readonly begin: (theirs: T) => void
}

/**
 * Saves a resource without silently overwriting other users' changes. If the resource has changed since the editor
 * fetched it, nothing is saved; `conflict` then contains the current version and its author. Saving again then replaces
 * that version. `take` discards the user's input and restarts the editor from the current version.
 */
export function useConditionalSave<T, Body>(saving: SaveOptions<T, Body>) {
  const refetch = useRefetch()
  const [base, setBase] = useState(saving.opened)
  const [conflict, setConflict] = useState<EditConflict<T>>()
  const replace = async (body: Body, from: WithEtag<T>): Promise<EditConflict<T> | undefined> => {
    try {
      await saving.replace(from.value, body, from.etag)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== PRECONDITION_FAILED) throw error
      const now = await saving.read(from.value)
      setBase(now)
      // Ignore fields that the editor cannot change, such as list position or usages.
      const isSame = findDifferences(saving.bodyOf(from.value), saving.bodyOf(now.value)).length === 0
      if (isSame) return replace(body, now)
      // The user's own change was applied, but its response was lost.
      if (findDifferences(body, saving.bodyOf(now.value)).length === 0) return undefined
      return { theirs: now.value, event: await saving.lastChange(from.value).catch(() => undefined) }
    }
  }
  const save = useMutation({
    mutationFn: async (body: Body): Promise<EditConflict<T> | undefined> => {
      if (base !== undefined) return replace(body, base)
      await saving.create(body)
      return undefined
    },
    onSuccess: async (found, body) => {
      setConflict(found)
      await refetch(...saving.changes)
      void refetch(['events'])
      if (found === undefined) saving.done(body)
    },
  })
  const take = (): void => {
    if (conflict !== undefined) saving.begin(conflict.theirs)
    setConflict(undefined)
  }
  return { save, conflict, take }
}
