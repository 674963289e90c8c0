import { App } from 'documented:react.tsx'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.querySelector('#root')
if (place !== null) createRoot(place).render(createElement(App))
