// How often a scene is drawn. Without a graphics card a picture takes the processor long, which others need as well.
const POLL = 4, LATEST = 1000; // milliseconds: between two looks whether a picture is ready, and after which none follow
const LONGEST = 400; // milliseconds of a rest at most

export class Pace {
  constructor(gl) {
    this.gl = gl;
    this.took = 0; // milliseconds that the last picture took
    this.ended = 0;
    this.isBusy = false;
  }

  // Return whether the last picture is ready, and so many times as long as it took has passed since.
  allows(now, rest) {
    return !this.isBusy && now - this.ended >= Math.min(rest * this.took, LONGEST);
  }

  // Take the time of a picture whose drawing has just been asked for.
  begin() {
    const { gl } = this, began = performance.now();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.isBusy = true;
    const look = () => {
      const isLost = !fence || gl.isContextLost() || performance.now() - began > LATEST;
      if (!isLost && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return setTimeout(look, POLL);
      gl.deleteSync(fence);
      this.isBusy = false;
      this.ended = performance.now();
      this.took = this.ended - began;
    };
    setTimeout(look, 0);
  }
}
