import { useQuery } from '@tanstack/react-query'
import { SEGMENTS } from '../api/queries.ts'

/** Returns a function that looks up the name of a segment, and returns the id if the name is unknown. */
export function useSegmentName(): (id: number) => string {
  const { data = [] } = useQuery(SEGMENTS)
  return (id) => data.find((segment) => segment.id === id)?.name ?? `#${id}`
}
