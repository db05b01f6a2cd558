/** The objects of an organization that the first steps depend on. */
export interface ExistingObjects {
  readonly projects: readonly {
    readonly projectName: string;
    readonly parameterCount: number;
    readonly valueCount: number;
    readonly instances: readonly object[];
  }[];
  readonly projectCount: number;
  /** Users and service accounts together. */
  readonly userCount: number;
  readonly serviceAccountCount: number;
  /** Service accounts that are not OWNERs. The first start creates an OWNER, which is not a program. */
  readonly programCount: number;
}

export interface FirstStep {
  readonly title: string;
  readonly about: string;
  readonly isDone: boolean;
  readonly to: '/start' | '/projects/$name' | '/projects/$name/connect' | '/access';
  readonly params?: { readonly name: string };
}

/** Returns the first steps of a new organization. Whether a step is done depends on what exists, not on who did it. */
export function listFirstSteps({
  projects,
  projectCount,
  userCount,
  serviceAccountCount,
  programCount,
}: ExistingObjects): readonly FirstStep[] {
  const startedProject = projects.find(({ parameterCount }) => parameterCount > 0) ?? projects[0];
  const inProject = startedProject ? { params: { name: startedProject.projectName } } : {};
  const has = (isTrue: (project: ExistingObjects['projects'][number]) => boolean) => projects.some(isTrue);
  return [
    {
      title: 'Create a project',
      about: 'Create one for each program, or import a .env file.',
      isDone: projectCount > 1 || has(({ parameterCount }) => parameterCount > 0),
      to: '/start',
    },
    {
      title: 'Add a parameter',
      about: 'A parameter has a name, a type and values. It can be secret.',
      isDone: has(({ parameterCount }) => parameterCount > 0),
      to: startedProject ? '/projects/$name' : '/start',
      ...inProject,
    },
    {
      title: 'Set a value',
      about: 'A value in default applies to all environments that do not override it.',
      isDone: has(({ valueCount }) => valueCount > 0),
      to: startedProject ? '/projects/$name' : '/start',
      ...inProject,
    },
    {
      title: 'Connect a program',
      about: 'Create a key that reads the configuration.',
      isDone: programCount > 0 || has(({ instances }) => instances.length > 0),
      to: startedProject ? '/projects/$name/connect' : '/start',
      ...inProject,
    },
    {
      title: 'Invite a colleague',
      about: 'Each member has a role.',
      isDone: userCount - serviceAccountCount > 1,
      to: '/access',
    },
  ];
}
