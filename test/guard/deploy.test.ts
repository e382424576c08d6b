import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The settings of a section of the unit for systemd. */
function section(name: string): Map<string, string> {
  const [, text = ''] = read('deploy/kontor.service').split(new RegExp(`^\\[${name}\\]$`, 'm'))
  const lines = text.split(/^\[/m)[0]!.split('\n')
  return new Map(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]))
}

test('systemd restarts the server, however often it has ended', () => {
  assert.equal(section('Unit').get('StartLimitIntervalSec'), '0')
  assert.equal(section('Service').get('Restart'), 'on-failure')
})

test('The documented way to run a command as the service uses the user, directory and umask of the service', () => {
  const command = read('docs/operations.md').match(/^systemd-run [\s\S]*?(?=\n```)/m)?.[0] ?? ''
  const service = section('Service')

  const given = [...command.matchAll(/-p (\w+)=(\S+)/g)].map(([, name, value]) => [name, value])
  const same = ['DynamicUser', 'User', 'StateDirectory', 'StateDirectoryMode', 'UMask']
  assert.deepEqual(
    given,
    same.map((name) => [name, service.get(name)]),
  )
  assert.ok(command.includes(`--data ${/KONTOR_DATA=(\S+)/.exec(service.get('Environment')!)![1]}`))
})

test('A capability that the documents add to the service is within the bounding set, outside of which systemd adds none', () => {
  const pages = ['operations', 'mail'].map((page) => read(`docs/${page}.md`)).join('\n')
  const added = [...pages.matchAll(/AmbientCapabilities=(\w+)/g)].map(([, name]) => name!)

  assert.ok(added.length > 0)
  assert.deepEqual(
    added.filter((name) => !section('Service').get('CapabilityBoundingSet')?.split(' ').includes(name)),
    [],
  )
})

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')

test('The labels of the container image name the version and the license of the project', () => {
  const labels = new Map(
    [...dockerfile.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]+)"/g)].map(
      ([, ...pair]) => pair as [string, string],
    ),
  )
  const { version, license, author } = JSON.parse(read('package.json'))
  const [base] = dockerfile.match(/(?<=^FROM )\S+$/m)!

  const wanted = { version, licenses: license, vendor: author, 'base.name': base }
  for (const [name, value] of Object.entries(wanted)) assert.equal(labels.get(name), value, name)
  assert.ok(labels.has('title') && labels.has('description'))
})

test('Compose checks the health of the server as the image does', () => {
  const [, interval, timeout, start, command] =
    /^HEALTHCHECK --interval=(\S+) --timeout=(\S+) --start-period=(\S+) CMD \[(.*)\]$/m.exec(dockerfile)!
  const compose = read('deploy/compose.yaml')

  const check = [`test: ["CMD", ${command}]`, `interval: ${interval}`, `timeout: ${timeout}`, `start_period: ${start}`]
  assert.ok(compose.includes(`    healthcheck:\n${check.map((line) => `      ${line}\n`).join('')}`))
})

test('The data of the image can be written by its user and by group 0, in which engines start unknown users', () => {
  const [, user, group] = /^USER (\d+):(\d+)$/m.exec(dockerfile)!

  assert.equal(group, '0')
  assert.ok(dockerfile.includes(`install -d -o ${user} -g 0 -m 770 /volume/data`))
  assert.ok(dockerfile.includes(`COPY --from=build --chown=${user}:0 /volume/ /\n`)) // `/data /data` would lose the mode
})
