import type { TokenRow, TokenType } from '@burgee/storage/queries/access/tokens'
import { type Actor, hasPermission } from '../../../core/access/rights/rights.ts'

/** Returns the permission that an action requires for tokens of the given type. Source: wire protocol */
export function getTokenPermission(verb: 'READ' | 'CREATE' | 'UPDATE' | 'DELETE', type: TokenType): string {
  return type === 'admin' ? 'ADMIN' : `${verb}_${type.toUpperCase()}_API_TOKEN`
}

/** Returns true if no project of a token is hidden from the actor. */
export function isTokenVisible({ hidden }: Actor, { projects }: Pick<TokenRow, 'projects'>): boolean {
  return !projects.some((project) => hidden.includes(project))
}

/** Returns the tokens that the actor can see and on which the actor may perform the action. */
export function filterPermittedTokens(actor: Actor, verb: 'READ' | 'UPDATE', rows: readonly TokenRow[]): TokenRow[] {
  return rows.filter((row) => hasPermission(actor, getTokenPermission(verb, row.type)) && isTokenVisible(actor, row))
}
