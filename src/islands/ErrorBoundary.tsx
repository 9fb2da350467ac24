import { Component, type ReactNode } from 'react';

/** Shows a message when its content fails to render, and a button that mounts the content again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert" className="card m-4 grid justify-items-start gap-4 p-6">
        <p>Something went wrong.</p>
        <button
          type="button"
          className="button"
          onClick={() => this.setState({ hasFailed: false })}
        >
          Try again
        </button>
      </div>
    );
  }
}
