/** The twelve events a webhook can ask for. */
export const EVENT_TYPES = ['environment', 'project', 'parameter', 'value'].flatMap((noun) =>
  ['created', 'updated', 'deleted'].map((verb) => `${noun}_${verb}`),
);
