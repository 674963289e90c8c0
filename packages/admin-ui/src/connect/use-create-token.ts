import { createProjectToken, createToken } from '../api/tokens.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import type { Sdk } from './sdk.ts'

/** Properties of a new token. */
export interface NewToken {
  readonly name: string
  readonly kind: Sdk['kind']
  readonly project: string
  readonly environment: string
}

/**
 * Returns a function that creates a token, based on the user's permission in the project or for the whole installation.
 * Returns undefined if the user has neither permission.
 */
export function useCreateToken(
  kind: Sdk['kind'],
  project: string,
): ((wanted: NewToken) => Promise<string>) | undefined {
  const may = usePermissionCheck()
  const inProject = may('CREATE_PROJECT_API_TOKEN', { project })
  const anywhere = may('CREATE_CLIENT_API_TOKEN') && may(`CREATE_${kind.toUpperCase()}_API_TOKEN`)
  if (!inProject && !anywhere) return undefined
  return async (wanted) => {
    const body = {
      tokenName: wanted.name,
      type: wanted.kind,
      environment: wanted.environment,
      projects: [wanted.project],
    }
    const { secret } = inProject ? await createProjectToken(wanted.project, body) : await createToken(body)
    return secret
  }
}
