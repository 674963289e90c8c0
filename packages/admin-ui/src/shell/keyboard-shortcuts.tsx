import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { NOTIFICATION_PANEL, PALETTE, SHORTCUT_LIST } from './overlays.ts'
import { readLastProject } from './project/last-project.ts'
import { usePermissionCheck } from './session/session.tsx'
import { captureTyping } from './typed-ahead.ts'

const ShortcutList = lazyDialog('ShortcutList', async () => (await import('./shortcut-list.tsx')).ShortcutList)
const KEY_SEQUENCE_MS = 1200
/** Types of inputs that do not accept text. A switch, for example, is focused after a click but accepts no letters. */
const BUTTON_LIKE: ReadonlySet<string> = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'file'])

/** Global keyboard shortcuts, with the dialog that lists the shortcuts. */
export function KeyboardShortcuts() {
  const isOpen = useSyncExternalStore(SHORTCUT_LIST.subscribe, SHORTCUT_LIST.isOpen)
  useShortcutKeys()
  useLayoutEffect(captureTyping, [])
  return isOpen && <ShortcutList close={() => SHORTCUT_LIST.show(false)} />
}

/** Handles shortcuts. Single letters act as shortcuts only while no text input has the focus. */
function useShortcutKeys(): void {
  const navigate = useNavigate()
  const may = usePermissionCheck()
  // Use a layout effect, because users may press keys as soon as the page is visible.
  useLayoutEffect(() => {
    let wentAt = 0
    const go: Readonly<Record<string, () => unknown>> = {
      h: () => navigate({ to: '/' }),
      f: () => navigate({ to: '/projects/$project', params: { project: readLastProject() } }),
      s: () => navigate({ to: '/segments' }),
      p: () => navigate({ to: '/playground' }),
      e: () => navigate({ to: '/events' }),
      n: () => NOTIFICATION_PANEL.show(true),
    }
    const alone: Readonly<Record<string, () => unknown>> = {
      '?': () => SHORTCUT_LIST.show(true),
      '/': () => document.querySelector<HTMLElement>('[type="search"]')?.focus(),
      c: () => {
        const params = { project: readLastProject() }
        if (may('CREATE_FEATURE', params)) void navigate({ to: '/projects/$project', params, search: { create: true } })
      },
      g: () => {
        wentAt = Date.now()
      },
    }
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        PALETTE.show(true)
      } else if (isShortcut(event)) {
        const act = Date.now() - wentAt < KEY_SEQUENCE_MS ? go[event.key] : alone[event.key]
        if (act !== undefined) event.preventDefault()
        act?.()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, may])
}

function isShortcut({ ctrlKey, metaKey, altKey, key, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !isTyping(target) && !wouldLoseInput(key)
}

/**
 * Returns true if a letter shortcut would leave a form with unsaved input. In this case, the user probably meant to
 * type the letter.
 */
function wouldLoseInput(key: string): boolean {
  return /^[a-z]$/.test(key) && document.querySelector('form[data-typed]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select, [role="dialog"], [role="listbox"]')) return true
  return target instanceof HTMLInputElement && !BUTTON_LIKE.has(target.type)
}
