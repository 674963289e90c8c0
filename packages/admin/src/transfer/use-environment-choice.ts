import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { projectEnvironments } from '../api/project-settings.ts'

/** One of the environments that a project uses: the first one, until somebody chooses another. */
export interface EnvironmentChoice {
  readonly names: readonly string[]
  /** Empty until the names are there. */
  readonly environment: string
  readonly choose: (name: string) => void
  /** Whether there is one to take; true as well while the names are still on their way. */
  readonly isPossible: boolean
  /** The chosen one; waits for the names, so that a press that comes before them is not lost. */
  readonly taken: () => Promise<string>
}

/** Asks which environments a project uses, and keeps which of them is chosen. */
export function useEnvironmentChoice(project: string): EnvironmentChoice {
  const client = useQueryClient()
  const [chosen, choose] = useState('')
  const query = { queryKey: ['project-environments', project], queryFn: () => projectEnvironments(project) }
  const { data } = useQuery(query)
  const names = namesOf(data ?? [])
  const taken = async (): Promise<string> => chosen || (namesOf(await client.ensureQueryData(query))[0] ?? '')
  const isPossible = data === undefined || names.length > 0
  return { names, environment: chosen || (names[0] ?? ''), choose, isPossible, taken }
}

function namesOf(environments: Awaited<ReturnType<typeof projectEnvironments>>): string[] {
  return environments.filter(({ visible }) => visible).map(({ name }) => name)
}
