import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useSyncExternalStore } from 'react'
import { areKeysShown, onKeysShown, showKeys } from './keys-store.ts'
import { openPalette } from './palette-store.ts'
import { useMay } from './session.tsx'
import { lastProject } from './use-project.ts'

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }))
const SECOND_KEY_MS = 1200

/** Keys that work on every page, and the list of them. */
export function Keys() {
  const isOpen = useSyncExternalStore(onKeysShown, areKeysShown)
  useKeys()
  return <Suspense>{isOpen && <KeyList />}</Suspense>
}

/** Single letters act only where nobody types. */
function useKeys(): void {
  const navigate = useNavigate()
  const may = useMay()
  // before anything shows: who sees the page may press a key
  useLayoutEffect(() => {
    let wentAt = 0
    const go: Readonly<Record<string, () => unknown>> = {
      f: () => navigate({ to: '/projects/$project', params: { project: lastProject() } }),
      s: () => navigate({ to: '/segments' }),
      p: () => navigate({ to: '/playground' }),
      e: () => navigate({ to: '/events' }),
    }
    const alone: Readonly<Record<string, () => unknown>> = {
      '?': () => showKeys(true),
      '/': () => document.querySelector<HTMLElement>('[type="search"]')?.focus(),
      c: () => {
        const params = { project: lastProject() }
        if (may('CREATE_FEATURE', params)) void navigate({ to: '/projects/$project', params, search: { create: true } })
      },
      g: () => {
        wentAt = Date.now()
      },
    }
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
      } else if (!event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
        const act = Date.now() - wentAt < SECOND_KEY_MS ? go[event.key] : alone[event.key]
        if (act !== undefined) event.preventDefault()
        act?.()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, may])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null
  )
}
