import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/**
 * Asks again for everything whose key begins as one of these do; resolves once what is on the screen has come. Never
 * rejects.
 */
export function useRefetch(): (...keys: readonly QueryKey[]) => Promise<void> {
  const queries = useQueryClient()
  return async (...keys) => {
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
