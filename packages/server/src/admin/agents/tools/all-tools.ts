import { hasPermission } from '../../../core/access/rights/rights.ts'
import type { AgentCaller } from '../agent-caller.ts'
import { cleanupTools } from './cleanup-tools.ts'
import { explainTools } from './explain-tools.ts'
import { listTools } from './list-tools.ts'
import { previewTools } from './preview-tools.ts'
import { releaseTools } from './release-tools.ts'
import type { Tool } from './tool.ts'
import { writeTools } from './write-tools.ts'

/** All tools, in the order in which clients list them. */
export const ALL_TOOLS: readonly Tool[] = [
  ...listTools,
  ...explainTools,
  ...previewTools,
  ...writeTools,
  ...releaseTools,
  ...cleanupTools,
]

/** Returns the tools that a caller can use. Callers who may not change anything see only the read-only tools. */
export function listPermittedTools({ actor }: AgentCaller): readonly Tool[] {
  return ALL_TOOLS.filter(
    ({ permissions }) => permissions.length === 0 || permissions.some((permission) => hasPermission(actor, permission)),
  )
}
