import type { Event } from '@burgee/protocol/event'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, type Tagged } from '../api/http.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { differences } from '../difference/difference.ts'

const CHANGED = 412

/** Somebody else's change, which came between. */
export interface EditConflict<T> {
  readonly theirs: T
  /** Who changed it, and when; undefined where the log does not say. */
  readonly event: Event | undefined
}

/** How things of one kind are saved; `Body` is what the server is sent. */
export interface Saving<T, Body> {
  /** What the editor began with, and its state; undefined for something new. */
  readonly opened: Tagged<T> | undefined
  readonly create: (body: Body) => Promise<unknown>
  /** Replaces what is still in the state `ifMatch`; else ApiError 412. */
  readonly replace: (from: T, body: Body, ifMatch: string | undefined) => Promise<unknown>
  /** The thing as it is now. */
  readonly read: (from: T) => Promise<Tagged<T>>
  /** What the editor changes of it; what differs in nothing of this is the same thing. */
  readonly bodyOf: (from: T) => Body
  readonly lastChange: (from: T) => Promise<Event | undefined>
  /** What else may be different after a save: keys of queries. */
  readonly changes: readonly (readonly unknown[])[]
  readonly done: (body: Body) => void
  /** Fills the editor with somebody else's version. */
  readonly begin: (theirs: T) => void
}

/**
 * Saves a thing, but never over somebody else's change unseen: when it is not in the state any more in which the editor
 * got it, `conflict` says what it is now and who changed it, and nothing is saved. After that, saving again replaces
 * what was shown then, and `take` begins the editor anew from it.
 */
export function useConditionalSave<T, Body>(saving: Saving<T, Body>) {
  const refetch = useRefetch()
  const [base, setBase] = useState(saving.opened)
  const [conflict, setConflict] = useState<EditConflict<T>>()
  const replace = async (body: Body, from: Tagged<T>): Promise<EditConflict<T> | undefined> => {
    try {
      await saving.replace(from.value, body, from.etag)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== CHANGED) throw error
      const now = await saving.read(from.value)
      setBase(now)
      // its place in a list, or who uses it, is no part of it
      const isSame = differences(saving.bodyOf(from.value), saving.bodyOf(now.value)).length === 0
      if (isSame) return replace(body, now)
      // an answer was lost on its way, and the change was made all the same
      if (differences(body, saving.bodyOf(now.value)).length === 0) return undefined
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
