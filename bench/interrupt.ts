/** Ctrl-C stops what was started, which would live on otherwise. Answers how to take that back. */
export function stopOnInterrupt(stop: () => Promise<void>): () => void {
  const onSignal = () => {
    stop().finally(() => process.exit(130))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}
