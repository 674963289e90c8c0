export const TOOLS: Readonly<Record<string, string>>
export function isUnread(path: string): boolean
export function listWorkspaces(root: string, tools: readonly string[]): string[]
export function npmArguments(command: 'ci' | 'install', workspaces: readonly string[]): string[]
