import { Kbd, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { useTexts } from '../text/texts.tsx'
import { areKeysShown, onKeysShown, showKeys } from './keys-store.ts'
import { openPalette } from './palette-store.ts'
import { useMay } from './session.tsx'
import styles from './ui.module.css'
import { lastProject } from './use-project.ts'

const SECOND_KEY_MS = 1200

/** Keys that work on every page, and the list of them. */
export function Keys() {
  const t = useTexts()
  const isOpen = useSyncExternalStore(onKeysShown, areKeysShown)
  useKeys()
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t.keys.palette],
    [['?'], t.keys.help],
    [['/'], t.keys.search],
    [['g', 'f'], t.keys.flags],
    [['g', 's'], t.keys.segments],
    [['g', 'p'], t.keys.playground],
    [['g', 'e'], t.keys.events],
    [['c'], t.keys.create],
  ]
  return (
    <Modal
      opened={isOpen}
      onClose={() => showKeys(false)}
      title={t.keys.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <table className={styles.table}>
        <tbody>
          {rows.map(([keys, text]) => (
            <tr key={text}>
              <td>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  )
}

/** Single letters act only where nobody types. */
function useKeys(): void {
  const navigate = useNavigate()
  const may = useMay()
  useEffect(() => {
    let wentAt = 0
    const project = lastProject()
    const go: Readonly<Record<string, () => unknown>> = {
      f: () => navigate({ to: '/projects/$project', params: { project } }),
      s: () => navigate({ to: '/segments' }),
      p: () => navigate({ to: '/playground' }),
      e: () => navigate({ to: '/events' }),
    }
    const alone: Readonly<Record<string, () => unknown>> = {
      '?': () => showKeys(true),
      '/': () => document.querySelector<HTMLElement>('[type="search"]')?.focus(),
      c: () =>
        may('CREATE_FEATURE', { project }) &&
        navigate({ to: '/projects/$project', params: { project }, search: { create: true } }),
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
