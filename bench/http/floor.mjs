/** Baseline in the benchmarks: a `node:http` server that returns a prebuilt buffer. */
import { createServer } from 'node:http'

let body = Buffer.alloc(0)
let status = 200

const server = createServer((request, response) => {
  if (request.method === 'POST') request.resume().on('end', () => answer(response))
  else answer(response)
})

function answer(response) {
  if (status === 304) return void response.writeHead(304, { etag: 'W/"1"' }).end()
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length, etag: 'W/"1"' })
  response.end(body)
}

process.on('message', (message) => {
  if (message.answer === undefined) return
  body = Buffer.alloc(message.answer.bytes, 'x')
  status = message.answer.status
  process.send({ isSet: true })
})
server.listen(Number(process.env.PORT), '127.0.0.1')
