import type { ToOptions } from '@tanstack/react-router'
import {
  Activity,
  Archive,
  Braces,
  Download,
  Flag,
  FlaskConical,
  FolderKanban,
  GitBranch,
  GitPullRequest,
  KeyRound,
  Layers,
  type LucideIcon,
  ScrollText,
  Server,
  Settings,
  Tags,
  Users,
} from 'lucide-react'
import type { Texts } from '../text/en.ts'

/** A page that the menu and the palette lead to. */
export interface NavPage {
  readonly id: keyof Texts['nav']
  readonly icon: LucideIcon
  readonly link: (project: string) => ToOptions
  /** The right without which there is nothing to see. */
  readonly needs?: string
  /** Addresses at which the menu marks it; where it is left out, those of its link. */
  readonly isAt?: RegExp
}

/** Pages of daily work. */
export const WORK_PAGES: readonly NavPage[] = [
  {
    id: 'flags',
    icon: Flag,
    link: (project) => ({ to: '/projects/$project', params: { project } }),
    isAt: /^\/projects\/[^/]+(\/features\/.*)?$/,
  },
  { id: 'segments', icon: Layers, link: () => ({ to: '/segments' }) },
  { id: 'playground', icon: FlaskConical, link: () => ({ to: '/playground' }) },
  { id: 'events', icon: ScrollText, link: () => ({ to: '/events' }) },
  {
    id: 'changeRequests',
    icon: GitPullRequest,
    link: (project) => ({ to: '/projects/$project/change-requests', params: { project } }),
  },
  { id: 'archive', icon: Archive, link: () => ({ to: '/archive' }) },
  { id: 'settings', icon: Settings, link: (project) => ({ to: '/projects/$project/settings', params: { project } }) },
]

/** Pages of those who look after the installation. */
export const ADMIN_PAGES: readonly NavPage[] = [
  { id: 'projects', icon: FolderKanban, link: () => ({ to: '/projects' }), isAt: /^\/projects$/ },
  { id: 'environments', icon: Server, link: () => ({ to: '/environments' }) },
  { id: 'contextFields', icon: Braces, link: () => ({ to: '/context-fields' }) },
  { id: 'strategyTypes', icon: GitBranch, link: () => ({ to: '/strategy-types' }) },
  { id: 'tagTypes', icon: Tags, link: () => ({ to: '/tag-types' }) },
  { id: 'tokens', icon: KeyRound, link: () => ({ to: '/tokens' }), needs: 'READ_CLIENT_API_TOKEN' },
  {
    id: 'users',
    icon: Users,
    link: () => ({ to: '/users' }),
    needs: 'ADMIN',
    isAt: /^\/(users|groups|service-accounts|roles|single-sign-on)$/,
  },
  { id: 'import', icon: Download, link: () => ({ to: '/import' }), needs: 'ADMIN' },
  { id: 'instance', icon: Activity, link: () => ({ to: '/instance' }) },
]
