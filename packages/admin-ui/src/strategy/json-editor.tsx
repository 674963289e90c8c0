import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter, lintGutter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useRef } from 'react'
import styles from './strategy.module.css'

interface Props {
  readonly label: string
  readonly value: string
  /** True if the value is invalid, so that the form cannot be submitted. */
  readonly isInvalid?: boolean
  readonly put: (value: string) => void
}

/**
 * JSON editor with line numbers, syntax colors and error positions. The editor is placed in a shadow tree. Outside of
 * it, the editor's styles would need a style element, which the content security policy forbids. The Tab key moves the
 * focus out of the editor, as in every other field.
 */
export function JsonEditor({ label, value, isInvalid = false, put }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const hear = useEffectEvent(put)
  const begin = useEffectEvent((root: ShadowRoot) => createEditor(root, label, value, (text) => hear(text)))
  useEffect(() => {
    const place = host.current
    if (place === null) return undefined
    const editor = begin(place.shadowRoot ?? place.attachShadow({ mode: 'open' }))
    view.current = editor
    const focusContent = (): void => editor.focus()
    place.addEventListener('focus', focusContent)
    return () => {
      place.removeEventListener('focus', focusContent)
      editor.destroy()
    }
  }, [])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div ref={host} className={styles.json} tabIndex={-1} data-invalid-editor={isInvalid || undefined} />
}

function createEditor(root: ShadowRoot, label: string, doc: string, hear: (text: string) => void): EditorView {
  const extensions = [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    json(),
    linter(jsonParseLinter()),
    lintGutter(),
    syntaxHighlighting(COLOURS),
    THEME,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => update.docChanged && hear(update.state.doc.toString())),
    keymap.of([...defaultKeymap, ...historyKeymap]),
  ]
  return new EditorView({ parent: root, root, state: EditorState.create({ doc, extensions }) })
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--mantine-color-anchor)' },
  { tag: tags.string, color: 'var(--warn)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--bad)' },
])

const THEME = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--mantine-color-text)', minHeight: '5em' },
  '.cm-scroller': { maxHeight: '360px' },
  '.cm-gutters': { backgroundColor: 'var(--hover)', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)' },
})
