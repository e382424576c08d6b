import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './children.ts'

const root = new URL('../../../', import.meta.url).pathname

/** A built program, with a directory for its data. */
export interface Program {
  /** What messages call it. */
  name: string
  /** The commit that it was built from, and the runtime. */
  about: string
  directory: string
  /** The text of the schema of its database. */
  schema: string
  /** The command without its arguments. */
  command: readonly [string, string]
}

/** A commit of this repository. */
export interface Revision {
  hash: string
  /** The abbreviated hash and the subject. */
  title: string
}

/** Throws an error that names the revision if there is none. */
export async function findRevision(name: string): Promise<Revision> {
  const hash = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch(() => '')
  if (!hash) throw new Error(`This repository has no revision ${name}. \`git log --oneline\` lists those that it has.`)
  return { hash, title: await git('log', '-1', '--format=%h %s', hash) }
}

/** Builds the working tree as it is. */
export async function buildCurrent(work: string): Promise<Program> {
  const changed = await git('status', '--porcelain')
  const title = `${await git('log', '-1', '--format=%h %s')}${changed && ', with changes'}`
  return build({ name: 'the working tree', title, tree: root, directory: join(work, 'new') }, '--if-needed')
}

/** Builds a revision from its own sources, in `work`. The packages are those of its lock file. */
export async function buildRevision({ hash, title }: Revision, work: string): Promise<Program> {
  const [tree, name] = [join(work, 'tree'), title.split(' ', 1)[0]!]
  mkdirSync(tree)
  await git('archive', '--format=tar', `--output=${join(work, 'tree.tar')}`, hash)
  await run('tar', ['tar', '-xf', join(work, 'tree.tar'), '-C', tree])
  if (!existsSync(join(tree, 'build.mjs'))) throw new Error(`${name} cannot be built: it has no build.mjs`)
  await install(tree, name)
  return build({ name, title, tree, directory: join(work, 'old') })
}

/** The packages of the working tree serve a tree with the same lock file. */
async function install(tree: string, name: string): Promise<void> {
  if (read(join(tree, 'package-lock.json')) === read(join(root, 'package-lock.json'))) {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
    return
  }
  console.error(`Installing the packages of ${name}, whose lock file differs`)
  await run(`npm ci of ${name}`, ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: tree,
    env: { ...withoutNpm(), npm_config_loglevel: 'error' },
  })
}

interface Source {
  name: string
  title: string
  tree: string
  directory: string
}

/** Builds a tree and copies the program to `directory`, so that nothing that changes the tree changes what is measured. */
async function build({ name, title, tree, directory }: Source, ...options: string[]): Promise<Program> {
  console.error(`Building ${name}`)
  const own = join(tree, 'node_modules/node/bin/node')
  const runtime = realpathSync(existsSync(own) ? own : process.execPath)
  await run(`The build of ${name}`, [runtime, 'build.mjs', ...options], { cwd: tree })
  mkdirSync(directory)
  const file = join(directory, 'kontor.cjs')
  copyFileSync(join(tree, 'dist/kontor.cjs'), file)
  const version = (await run('node --version', [runtime, '--version'])).trim()
  return {
    name,
    about: `${title} (Node ${version})`,
    directory,
    schema: read(join(tree, 'schema.sql')),
    command: [runtime, file],
  }
}

async function git(...args: string[]): Promise<string> {
  return (await run(`git ${args[0]}`, ['git', '-C', root, ...args])).trim()
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Without what `npm run` has set: it describes this project, not the tree. */
function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => name.startsWith('npm_'))
      .map((name) => [name, undefined]),
  )
}
